import { Smile } from 'lucide-react'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { useMyProfile } from '../../people/profile-queries.ts'
import { DialogButton } from '../../ui/dialog/dialog-button.tsx'

/** Shows my status emoji, and opens the dialog to change it. */
export function StatusButton({ className = '' }: { className?: string }) {
  const status = useMyProfile(useMe())?.user_status
  return (
    <DialogButton
      name={t('users.setStatus')}
      title={t('users.setStatus')}
      aria-description={status && t('users.currentStatus', { status })}
      className={`text-[1.0625rem] leading-none ${className}`}
      load={() => import('./status-dialog.tsx')}
    >
      {status ?? <Smile size={16} />}
    </DialogButton>
  )
}
