import { CircleAlert, Clock } from 'lucide-react'
import { useId } from 'react'
import { useMe } from '../../me.tsx'
import { Late } from '../../ui/late.tsx'
import { AttachedFiles } from './attached-files.tsx'
import { focusBox } from './drafts.ts'
import { MessageText } from './markdown.tsx'
import { boxOf, discard, editAgain, type PendingMessage, retry } from './outbox.ts'
import { isKept } from './outbox-rows.ts'
import { RowLayout } from './row-layout.tsx'

const pendingToolbar = () => import('./pending-toolbar.tsx')

interface Props {
  pending: PendingMessage
  continues: boolean
}

/** A message the server has not confirmed yet: on its way, waiting, or refused. */
export function PendingRow({ pending, continues }: Props) {
  const me = useMe()
  const id = useId()
  return (
    <RowLayout
      id={id}
      aria-labelledby={`${id} ${id}-text`}
      user={me}
      time={pending.createdAt}
      continues={continues}
      faded
      toolbar={<Late load={pendingToolbar} />}
    >
      {pending.content !== '' && (
        <div id={`${id}-text`}>
          <MessageText content={pending.content} />
        </div>
      )}
      {pending.files && <AttachedFiles files={pending.files} />}
      {pending.state !== 'sending' && <Delivery pending={pending} />}
    </RowLayout>
  )
}

function Delivery({ pending }: { pending: PendingMessage }) {
  const failed = pending.state === 'failed'
  const Icon = failed ? CircleAlert : Clock
  // The buttons go away, and the focus must not go with them.
  const then = (act: (pending: PendingMessage) => void) => () => {
    act(pending)
    focusBox(boxOf(pending))
  }
  return (
    <p
      role="status"
      className={`flex flex-wrap items-center gap-x-3 text-meta ${failed ? 'text-danger' : 'text-faint'}`}
    >
      <span className="flex items-center gap-1.5">
        <Icon size={13} />
        {pending.reason}
        {!isKept(pending) && '. Kept only while this page is open'}
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
