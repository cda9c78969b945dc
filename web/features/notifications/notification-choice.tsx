import { Button } from '../../ui/input/button.tsx'
import {
  disableNotifications,
  enableNotifications,
  type NotificationState,
  useNotificationState,
} from './permission.ts'

const texts: Record<NotificationState, string> = {
  on: "On. You're notified of direct messages and mentions while Parley is in the background.",
  off: 'Off. You can be notified of direct messages and mentions while Parley is in the background.',
  blocked: 'Your browser blocks notifications. Allow them for this site in the browser settings.',
  insecure: 'Notifications only work over https.',
  missing: "This browser doesn't support notifications.",
}

/** Turns notifications on and off, or says why this device has none. */
export function NotificationChoice() {
  const state = useNotificationState()
  return (
    <div className="flex items-start gap-4">
      <p role="status" className="min-w-0 flex-1 text-pretty text-soft text-ui">
        {texts[state]}
      </p>
      {(state === 'on' || state === 'off') && (
        <Button
          variant="line"
          className="flex-none pointer-coarse:h-11"
          onClick={() => (state === 'on' ? disableNotifications() : void enableNotifications())}
        >
          {state === 'on' ? 'Turn off' : 'Turn on'}
        </Button>
      )}
    </div>
  )
}
