import type { Channel } from '#contract/channels'
import { InviteDialog } from '../../features/channels/dialogs/invite-dialog.tsx'
import { UserPicker } from '../../features/users/user-picker.tsx'

export default function InvitePeopleDialog(props: { channel: Channel; onClose: () => void }) {
  return <InviteDialog {...props} picker={UserPicker} />
}
