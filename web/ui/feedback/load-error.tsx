import { Button } from '../input/button.tsx'
import { useRetry } from './use-retry.ts'

interface Props {
  text: string
  /** Resolves when that try is over. */
  retry: () => unknown
  /** Whether it is also tried again by itself. */
  isRetried?: boolean
}

/** Something could not be loaded, and can be tried again. */
export function LoadError({ text, retry, isRetried = false }: Props) {
  useRetry(retry, isRetried ? 'failed' : 'idle')
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-3 py-6 text-danger text-ui">
      {text}
      <Button look="line" onClick={() => void retry()}>
        Try again
      </Button>
    </div>
  )
}
