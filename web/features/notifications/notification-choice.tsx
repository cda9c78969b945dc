import { type TextId, t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import {
  disableNotifications,
  enableNotifications,
  type NotificationState,
  useNotificationState,
} from './permission.ts'

const texts = {
  on: 'notifications.on',
  off: 'notifications.off',
  blocked: 'notifications.blocked',
  insecure: 'notifications.insecure',
  missing: 'notifications.missing',
} as const satisfies Record<NotificationState, TextId>

/** Turns notifications on and off, or says why this device has none. */
export function NotificationChoice() {
  const state = useNotificationState()
  return (
    <div className="flex items-start gap-4">
      <p role="status" className="min-w-0 flex-1 text-pretty text-soft text-ui">
        {t(texts[state])}
      </p>
      {(state === 'on' || state === 'off') && (
        <Button
          variant="line"
          className="flex-none pointer-coarse:h-11"
          onClick={() => (state === 'on' ? disableNotifications() : void enableNotifications())}
        >
          {state === 'on' ? t('notifications.turnOff') : t('notifications.turnOn')}
        </Button>
      )}
    </div>
  )
}
