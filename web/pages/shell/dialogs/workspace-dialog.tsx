import { AccountList } from '../../../features/identity/account-list.tsx'
import { InviteLinks } from '../../../features/identity/invite-links.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { DialogSection } from '../../../ui/dialog/dialog-section.tsx'

/** For owners and admins: invite links and accounts. */
export default function WorkspaceDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Workspace" onClose={onClose}>
      <DialogSection title="Invite people">
        <InviteLinks />
      </DialogSection>
      <DialogSection title="People">
        <AccountList />
      </DialogSection>
    </Dialog>
  )
}
