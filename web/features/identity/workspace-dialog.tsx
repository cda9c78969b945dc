import { Dialog } from '../../ui/dialog/dialog.tsx'
import { DialogSection } from '../../ui/dialog/dialog-section.tsx'
import { AccountList } from './account-list.tsx'
import { InviteLinks } from './invite-links.tsx'

interface Props {
  /** The section that it was opened for. */
  section?: 'invite' | 'people' | undefined
  onClose: () => void
}

/** For owners and admins: invite links and accounts. */
export default function WorkspaceDialog({ section, onClose }: Props) {
  return (
    <Dialog title="Workspace" hasList onClose={onClose}>
      <DialogSection title="Invite people" isSought={section === 'invite'}>
        <InviteLinks />
      </DialogSection>
      <DialogSection title="People" isSought={section === 'people'}>
        <AccountList />
      </DialogSection>
    </Dialog>
  )
}
