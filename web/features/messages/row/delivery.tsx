import { CircleAlert, Clock } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../../../i18n/text.ts'
import { keysLabel } from '../../../ui/device/key-label.ts'
import { isTouch } from '../../../ui/device/media.ts'
import { useOnline } from '../../../ui/device/online.ts'
import { focusComposer } from '../outbox/open-conversations.ts'
import { isPersisted } from '../outbox/outbox.ts'
import { discard, editAgain, retry } from '../outbox/pending-acts.ts'
import { conversationKey, type PendingMessage } from '../outbox/pending-message.ts'
import { sendNow, undoSend } from '../outbox/undo-send.ts'

interface Props {
  pending: PendingMessage
}

/** Says why a message has not been sent, and what can be done about it. Lazy-loaded. */
export default function Delivery({ pending }: Props) {
  return pending.state === 'sending' ? <Held pending={pending} /> : <Unsent pending={pending} />
}

/** Offers to take back a message that is held. */
function Held({ pending }: Props) {
  const line = useRef<HTMLDivElement>(null)
  const act = actOn(pending)
  const conversation = conversationKey(pending)
  // Screen readers announce only what changes after it appears.
  const [isAnnounced, setAnnounced] = useState(false)
  useEffect(() => setAnnounced(true), [])
  const hint = isTouch() ? t('messages.outbox.heldHint') : t('messages.outbox.heldKeys', { keys: keysLabel('Mod+z') })
  useLayoutEffect(() => {
    const { current } = line
    return () => {
      if (current?.contains(document.activeElement)) focusComposer(conversation)
    }
  }, [conversation])
  return (
    <div ref={line} className={`${lineClass} text-faint`}>
      <span aria-hidden="true" className="flex items-center gap-1.5">
        <Clock size={13} />
        {t('messages.outbox.held')}
      </span>
      <span role="status" className="sr-only">
        {isAnnounced && hint}
      </span>
      <span className="flex gap-3">
        <ActionButton onClick={act(undoSend)}>{t('ui.undo')}</ActionButton>
        <ActionButton onClick={act(sendNow)}>{t('messages.outbox.sendNow')}</ActionButton>
      </span>
    </div>
  )
}

/** Says why a message is queued or failed, and offers to retry, edit or discard it. */
function Unsent({ pending }: Props) {
  const isOnline = useOnline()
  const hasFailed = pending.state === 'failed'
  const Icon = hasFailed ? CircleAlert : Clock
  const act = actOn(pending)
  return (
    <p role="status" className={`${lineClass} ${hasFailed ? 'text-danger' : 'text-faint'}`}>
      <span className="flex items-center gap-1.5">
        <Icon size={13} />
        {isPersisted(pending) ? pending.reason : t('messages.outbox.keepOpen', { reason: pending.reason ?? '' })}
      </span>
      <span className="flex gap-3">
        {isOnline && <ActionButton onClick={act(retry)}>{t('messages.outbox.retry')}</ActionButton>}
        <ActionButton onClick={act(editAgain)}>{t('messages.outbox.edit')}</ActionButton>
        <ActionButton onClick={act(discard)}>{t('messages.outbox.discard')}</ActionButton>
      </span>
    </p>
  )
}

const lineClass = 'flex flex-wrap items-center gap-x-3 text-meta'

/** The buttons disappear, so move the focus. The composer may appear only with the text that comes back. */
const actOn = (pending: PendingMessage) => (act: (pending: PendingMessage) => void) => () => {
  flushSync(() => act(pending))
  focusComposer(conversationKey(pending))
}

function ActionButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className="relative font-[600] text-pine hover:underline pointer-coarse:after:absolute pointer-coarse:after:-inset-x-1.5 pointer-coarse:after:-inset-y-3.5"
      onClick={onClick}
    >
      {children}
    </button>
  )
}
