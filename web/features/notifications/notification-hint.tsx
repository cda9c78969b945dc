import { BellRing, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/text.ts'
import { Button } from '../../ui/input/button.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { startNotifier } from './notifier.ts'
import { enableNotifications, isOfferPending, markOffered, requestOffer } from './permission.ts'

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
  useEffect(() => {
    if (isOffered) markOffered()
  }, [isOffered])
  useEffect(() => startNotifier(onOpen, requestOffer), [onOpen])

  if (!isOffered) return null
  const close = () => setOffered(false)
  return (
    <section
      aria-label={t('notifications.offer')}
      className="flex min-h-10 items-center gap-2 border-line border-b bg-sunk py-1 ps-(--gutter) pe-2 text-soft text-ui"
    >
      <BellRing size={16} />
      <p className="min-w-0 flex-1">{t('notifications.offerText')}</p>
      <Button
        variant="line"
        className="pointer-coarse:h-11"
        onClick={() => {
          close()
          void enableNotifications()
        }}
      >
        {t('notifications.turnOn')}
      </Button>
      <IconButton name={t('notifications.notNow')} onClick={close}>
        <X size={16} />
      </IconButton>
    </section>
  )
}
