import { Notice } from '../../ui/feedback/notice.tsx'
import { useRetry } from '../../ui/feedback/use-retry.ts'
import { Button } from '../../ui/input/button.tsx'

/** Shown when the first requests of the page failed. */
export function UnreachablePage({ retry }: { retry: () => unknown }) {
  useRetry(retry)
  return (
    <div className="flex h-full bg-sunk" role="alert">
      <Notice isPage title="Can't reach Parley">
        Check your connection. The server may also be starting.
        <div>
          <Button variant="line" className="mt-4" onClick={() => retry()}>
            Try again
          </Button>
        </div>
      </Notice>
    </div>
  )
}
