import { Button } from '../../ui/input/button.tsx'
import {
  disableNotifications,
  enableNotifications,
  type NotificationState,
  useNotificationState,
} from './permission.ts'

const words: Record<NotificationState, string> = {
  on: 'On. While you look elsewhere, this device tells you of direct messages and mentions.',
  off: 'Off. This device can tell you of direct messages and mentions while you look elsewhere.',
  blocked: 'Blocked by the browser. Allow notifications in its settings for this page to turn them on.',
  insecure: 'Not available here: browsers show notifications only for pages opened over https.',
  missing: 'Not available: this browser has no notifications.',
}

/** Whether this device tells of what calls me; and why not, where it cannot. */
export function NotificationChoice() {
  const telling = useNotificationState()
  return (
    <div className="flex items-start gap-4">
      <p role="status" className="min-w-0 flex-1 text-soft text-ui">
        {words[telling]}
      </p>
      {(telling === 'on' || telling === 'off') && (
        <Button
          look="line"
          className="flex-none pointer-coarse:h-11"
          onClick={() => (telling === 'on' ? disableNotifications() : void enableNotifications())}
        >
          {telling === 'on' ? 'Turn off' : 'Turn on'}
        </Button>
      )}
    </div>
  )
}
