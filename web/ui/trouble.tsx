import { Button } from './button.tsx'

/** Something could not be loaded, and can be tried again. */
export function Trouble({ text, retry }: { text: string; retry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-3 py-6 text-danger text-ui">
      {text}
      <Button look="line" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
