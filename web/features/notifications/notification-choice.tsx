import { useQueryClient } from '@tanstack/react-query'
import { type TextId, t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { Button } from '../../ui/input/button.tsx'
import {
  disableNotifications,
  enableNotifications,
  type NotificationState,
  useNotificationState,
} from './permission.ts'
import { browserSubscription } from './push/browser-subscription.ts'
import { turnOffPush } from './push/push-device.ts'
import { readPushMemory } from './push/push-memory.ts'
import { PUSH_SETTINGS } from './push/push-queries.ts'

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
  const me = useMe()
  const client = useQueryClient()

  /** Also while Parley is closed. */
  async function turnOff() {
    disableNotifications()
    // The browser may have lost what it remembered of it.
    if (!readPushMemory(me.id) && !(await browserSubscription().catch(() => null))) return
    await turnOffPush(me.id).catch((error) => console.error('Failed to end the push subscription:', error))
    await client.invalidateQueries({ queryKey: PUSH_SETTINGS })
  }

  return (
    <div className="flex items-start gap-4">
      <p role="status" className="min-w-0 flex-1 text-pretty text-soft text-ui">
        {t(texts[state])}
      </p>
      {(state === 'on' || state === 'off') && (
        <Button
          variant="line"
          className="flex-none pointer-coarse:h-11"
          onClick={() => void (state === 'on' ? turnOff() : enableNotifications())}
        >
          {state === 'on' ? t('notifications.turnOff') : t('notifications.turnOn')}
        </Button>
      )}
    </div>
  )
}
