import { Button } from './button.tsx'
import { useRetry } from './use-retry.ts'

interface Props {
  text: string
  retry: () => void
  /** Whether it is also tried again by itself. */
  isRetried?: boolean
}

/** Something could not be loaded, and can be tried again. */
export function Trouble({ text, retry, isRetried = false }: Props) {
  useRetry(retry, isRetried)
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-3 py-6 text-danger text-ui">
      {text}
      <Button look="line" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
