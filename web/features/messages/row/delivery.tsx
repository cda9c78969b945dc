import { CircleAlert, Clock } from 'lucide-react'
import { focusComposer } from '../outbox/open-conversations.ts'
import { isPersisted } from '../outbox/outbox.ts'
import { discard, editAgain, retry } from '../outbox/pending-acts.ts'
import { conversationKey, type PendingMessage } from '../outbox/pending-message.ts'

/** Says why a message is queued or failed, and offers to retry, edit or discard it. Lazy-loaded. */
export default function Delivery({ pending }: { pending: PendingMessage }) {
  const failed = pending.state === 'failed'
  const Icon = failed ? CircleAlert : Clock
  // The buttons disappear, so move the focus first.
  const then = (act: (pending: PendingMessage) => void) => () => {
    act(pending)
    focusComposer(conversationKey(pending))
  }
  return (
    <p
      role="status"
      className={`flex flex-wrap items-center gap-x-3 text-meta ${failed ? 'text-danger' : 'text-faint'}`}
    >
      <span className="flex items-center gap-1.5">
        <Icon size={13} />
        {pending.reason}
        {!isPersisted(pending) && '. Kept only while this page is open'}
      </span>
      <span className="flex gap-3">
        <Act onClick={then(retry)}>Retry</Act>
        <Act onClick={then(editAgain)}>Edit</Act>
        <Act onClick={then(discard)}>Discard</Act>
      </span>
    </p>
  )
}

function Act({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <button type="button" className="font-[600] text-pine hover:underline pointer-coarse:min-h-11" onClick={onClick}>
      {children}
    </button>
  )
}
