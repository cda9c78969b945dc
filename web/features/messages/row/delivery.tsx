import { CircleAlert, Clock } from 'lucide-react'
import { flushSync } from 'react-dom'
import { t } from '../../../i18n/text.ts'
import { useOnline } from '../../../ui/device/online.ts'
import { focusComposer } from '../outbox/open-conversations.ts'
import { isPersisted } from '../outbox/outbox.ts'
import { discard, editAgain, retry } from '../outbox/pending-acts.ts'
import { conversationKey, type PendingMessage } from '../outbox/pending-message.ts'

/** Says why a message is queued or failed, and offers to retry, edit or discard it. Lazy-loaded. */
export default function Delivery({ pending }: { pending: PendingMessage }) {
  const isOnline = useOnline()
  const hasFailed = pending.state === 'failed'
  const Icon = hasFailed ? CircleAlert : Clock
  // The buttons disappear, so move the focus. The composer may appear only with the text that comes back.
  const andFocusComposer = (act: (pending: PendingMessage) => void) => () => {
    flushSync(() => act(pending))
    focusComposer(conversationKey(pending))
  }
  return (
    <p
      role="status"
      className={`flex flex-wrap items-center gap-x-3 text-meta ${hasFailed ? 'text-danger' : 'text-faint'}`}
    >
      <span className="flex items-center gap-1.5">
        <Icon size={13} />
        {isPersisted(pending) ? pending.reason : t('messages.outbox.keepOpen', { reason: pending.reason ?? '' })}
      </span>
      <span className="flex gap-3">
        {isOnline && <ActionButton onClick={andFocusComposer(retry)}>{t('messages.outbox.retry')}</ActionButton>}
        <ActionButton onClick={andFocusComposer(editAgain)}>{t('messages.outbox.edit')}</ActionButton>
        <ActionButton onClick={andFocusComposer(discard)}>{t('messages.outbox.discard')}</ActionButton>
      </span>
    </p>
  )
}

function ActionButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <button type="button" className="font-[600] text-pine hover:underline pointer-coarse:min-h-11" onClick={onClick}>
      {children}
    </button>
  )
}
