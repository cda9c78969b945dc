import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useIdentity } from '../../me.tsx'
import { useSocket } from '../../socket.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { LateDialog } from '../../ui/late-dialog.tsx'

/** Shown most of all without a network: it has to be here by then. */
export const confirmation = () => import('../../ui/confirm-dialog.tsx')

interface Props {
  /** How many messages, drafts and files would be lost by leaving. */
  countUnsent: () => number
  onLeave: () => void
}

/** Says goodbye, and asks before anything unsent is lost. */
export function SignOutButton({ countUnsent, onLeave }: Props) {
  const { leave } = useIdentity()
  const socket = useSocket()
  const [busy, setBusy] = useState(false)
  const [unsent, setUnsent] = useState(0)

  async function ask() {
    const count = countUnsent()
    setUnsent(count)
    if (count === 0) await signOut()
  }

  async function signOut() {
    setBusy(true)
    socket?.emit('status:update', 'offline')
    // Time for the word to go out before the connection is taken down.
    await new Promise((resolve) => setTimeout(resolve, 100))
    onLeave()
    await leave()
  }

  return (
    <>
      <IconButton name="Sign Out" onClick={ask} disabled={busy}>
        <LogOut size={16} />
      </IconButton>
      {unsent > 0 && (
        <LateDialog
          load={confirmation}
          title="Sign Out"
          action="Discard and sign out"
          onConfirm={signOut}
          onClose={() => setUnsent(0)}
        >
          {unsent === 1 ? 'One message or draft was not sent yet.' : `${unsent} messages and drafts were not sent yet.`}{' '}
          Signing out discards what was not sent.
        </LateDialog>
      )}
    </>
  )
}
