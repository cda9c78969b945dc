import { BellRing, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { sessionUserId } from '../../session/session.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Button } from '../../ui/input/button.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { startNotifier } from './notifier.ts'
import { enableNotifications, isOfferPending, markOffered, notificationState, requestOffer } from './permission.ts'

interface Props {
  /** Whether nothing else on the page offers notifications. */
  canOffer: boolean
  onOpen: (address: string) => void
}

/**
 * Starts the notifier. On a device without notifications that missed one, offers them once: when the page opens, so
 * that nothing moves under the reader. Later the settings offer them.
 */
export function NotificationHint({ canOffer, onOpen }: Props) {
  const [isOffered, setOffered] = useState(() => canOffer && isOfferPending())
  /** The server's key, while it is offered to be notified when Parley is closed as well. */
  const [pushKey, setPushKey] = useState<string>()
  useEffect(() => {
    if (isOffered) markOffered()
  }, [isOffered])
  useEffect(() => startNotifier(onOpen, requestOffer), [onOpen])

  if (!isOffered) return null
  const close = () => setOffered(false)

  async function turnOn() {
    const key = pushKey
    if (key !== undefined) {
      close()
      return void turnOnClosed(key)
    }
    await enableNotifications()
    const offered = notificationState() === 'on' ? await loadPushKey() : undefined
    if (offered === undefined) close()
    setPushKey(offered)
  }

  return (
    <section
      aria-label={t('notifications.offer')}
      className="flex min-h-10 items-center gap-2 border-line border-b bg-sunk py-1 ps-(--gutter) pe-2 text-soft text-ui"
    >
      <BellRing size={16} />
      <p className="min-w-0 flex-1">{pushKey === undefined ? t('notifications.offerText') : t('push.offer')}</p>
      <Button variant="line" className="pointer-coarse:h-11" onClick={() => void turnOn()}>
        {t('notifications.turnOn')}
      </Button>
      <IconButton name={t('notifications.notNow')} onClick={close}>
        <X size={16} />
      </IconButton>
    </section>
  )
}

/** The server's key if this browser can be notified while Parley is closed. */
async function loadPushKey(): Promise<string | undefined> {
  try {
    const { loadKeyToOffer } = await import('./push/push-offer.ts')
    return await loadKeyToOffer()
  } catch (error) {
    console.warn('Failed to find out whether push notifications are possible:', error)
    return undefined
  }
}

async function turnOnClosed(key: string) {
  try {
    const me = sessionUserId()
    const { turnOnPush } = await import('./push/push-device.ts')
    if (me) await turnOnPush(me, key)
  } catch (error) {
    console.error('Failed to turn on push notifications:', error)
    showToast(t('push.changeFailed'))
  }
}
