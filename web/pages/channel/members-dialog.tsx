import type { Channel } from '#contract/channels'
import { MembersDialog } from '../../features/channels/dialogs/members-dialog.tsx'
import { UserLine } from '../../features/users/user-line.tsx'

export default function ChannelMembersDialog(props: { channel: Channel; onClose: () => void }) {
  return <MembersDialog {...props} line={UserLine} />
}
