import { useIdentity } from '../me.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** The server could not be asked who is signed in. */
export function UnreachablePage() {
  const { refresh } = useIdentity()
  return (
    <div className="flex h-full bg-sunk" role="alert">
      <Notice isPage title="Parley cannot be reached">
        Check your connection; the server may also be starting.
        <div>
          <Button look="line" className="mt-4" onClick={() => void refresh()}>
            Try again
          </Button>
        </div>
      </Notice>
    </div>
  )
}
