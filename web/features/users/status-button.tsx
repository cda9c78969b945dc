import { Smile } from 'lucide-react'
import { useIsGone } from '../../emoji/custom-emoji.ts'
import { EmojiSign } from '../../emoji/emoji-sign.tsx'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { useCurrentStatus } from '../../people/current-status.ts'
import { useMyProfile } from '../../people/profile-queries.ts'
import { DialogButton } from '../../ui/dialog/dialog-button.tsx'

/** Shows my status emoji, and opens the dialog to change it. */
export function StatusButton({ className = '' }: { className?: string }) {
  const profile = useMyProfile(useMe())
  const { emoji, text } = useCurrentStatus(profile)
  const status = profile && emoji
  const isGone = useIsGone(emoji)
  return (
    <DialogButton
      name={t('users.setStatus')}
      title={t('users.setStatus')}
      aria-description={status && t('users.currentStatus', { status: text ? `${status} ${text}` : status })}
      className={`text-[1.0625rem] leading-none ${className}`}
      load={() => import('./status-dialog.tsx')}
    >
      {status && !isGone ? <EmojiSign emoji={status} /> : <Smile size={16} />}
    </DialogButton>
  )
}
