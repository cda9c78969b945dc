import { t } from '../i18n/text.ts'
/**
 * A green dot if online, a red ring if not, with a tooltip. Hidden from screen readers, so say it in words beside it.
 */
export function PresenceDot({ isOnline }: { isOnline: boolean }) {
  return (
    <span
      aria-hidden="true"
      title={isOnline ? t('ui.online') : t('ui.offline')}
      className={`relative size-2 flex-none rounded-full after:absolute after:-inset-1.5 ${isOnline ? 'bg-online' : 'border-[1.5px] border-offline'}`}
    />
  )
}
