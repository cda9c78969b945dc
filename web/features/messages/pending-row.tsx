import { CircleAlert, Clock } from 'lucide-react'
import { useMe } from '../../me.tsx'
import { MessageText } from './markdown.tsx'
import { RowLayout } from './message-row.tsx'
import { discard, editAgain, type PendingMessage, retry } from './outbox.ts'

interface Props {
  pending: PendingMessage
  continues: boolean
}

/** A message the server has not confirmed yet: on its way, waiting, or refused. */
export function PendingRow({ pending, continues }: Props) {
  const me = useMe()
  return (
    <RowLayout user={me} time={pending.createdAt} continues={continues} faded>
      <MessageText content={pending.content} />
      {pending.state !== 'sending' && <Delivery pending={pending} />}
    </RowLayout>
  )
}

function Delivery({ pending }: { pending: PendingMessage }) {
  const failed = pending.state === 'failed'
  const Icon = failed ? CircleAlert : Clock
  return (
    <p
      role="status"
      className={`flex flex-wrap items-center gap-x-3 text-meta ${failed ? 'text-danger' : 'text-faint'}`}
    >
      <span className="flex items-center gap-1.5">
        <Icon size={13} />
        {failed ? `Not sent: ${pending.reason}` : `Queued. ${pending.reason}`}
      </span>
      <span className="flex gap-3">
        <Act onClick={() => retry(pending)}>Retry</Act>
        <Act onClick={() => editAgain(pending)}>Edit</Act>
        <Act onClick={() => discard(pending)}>Discard</Act>
      </span>
    </p>
  )
}

function Act({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <button type="button" className="font-[600] text-pine hover:underline pointer-coarse:py-2" onClick={onClick}>
      {children}
    </button>
  )
}
