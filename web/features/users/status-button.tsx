import { Smile } from 'lucide-react'
import { useMe } from '../../me.tsx'
import { useMyProfile } from '../../people/profile-queries.ts'
import { DialogButton } from '../../ui/dialog/dialog-button.tsx'

/** Shows my status emoji, and opens the dialog to change it. */
export function StatusButton({ className = '' }: { className?: string }) {
  const status = useMyProfile(useMe())?.user_status
  return (
    <DialogButton
      name="Set your status"
      title="Set your status"
      aria-description={status && `Currently ${status}`}
      className={`text-[1.0625rem] leading-none ${className}`}
      load={() => import('./status-dialog.tsx')}
    >
      {status ?? <Smile size={16} />}
    </DialogButton>
  )
}
