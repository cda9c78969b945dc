import { t } from '../../i18n/text.ts'
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
    <Dialog title={t('identity.workspace')} hasList onClose={onClose}>
      <DialogSection title={t('identity.invites.title')} isSought={section === 'invite'}>
        <InviteLinks />
      </DialogSection>
      <DialogSection title={t('identity.accounts.title')} isSought={section === 'people'}>
        <AccountList />
      </DialogSection>
    </Dialog>
  )
}
