import { Settings2 } from 'lucide-react'
import { SignOutButton } from '../features/identity/sign-out-button.tsx'
import { countUnsent, emptyOutbox } from '../features/messages/outbox.ts'
import { StatusButton } from '../features/users/status-button.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'

/** What concerns me: on a phone, which has no top bar, my status too. */
export function SidebarFooter() {
  return (
    <div className="ml-auto flex items-center gap-1">
      <StatusButton className="wide:hidden" />
      <DialogButton name="Settings" load={() => import('./settings-dialog.tsx')}>
        <Settings2 size={16} />
      </DialogButton>
      <SignOutButton countUnsent={countUnsent} onLeave={emptyOutbox} />
    </div>
  )
}
