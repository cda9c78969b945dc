import { Users } from 'lucide-react'
import { can } from '#contract/can'
import { useMe } from '../../me.tsx'
import { DialogButton } from '../../ui/dialog/dialog-button.tsx'

/** For owners and admins. */
export function WorkspaceButton() {
  const me = useMe()
  if (!can.manageWorkspace(me)) return null
  return (
    <DialogButton name="Manage workspace" load={() => import('./dialogs/workspace-dialog.tsx')}>
      <Users size={16} />
    </DialogButton>
  )
}
