import { NewDirectDialog } from '../../features/channels/dialogs/new-direct-dialog.tsx'
import { UserPicker } from '../../features/users/user-picker.tsx'

export default function NewDirectMessageDialog(props: { onClose: () => void }) {
  return <NewDirectDialog {...props} picker={UserPicker} />
}
