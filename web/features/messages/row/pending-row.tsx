import { useId } from 'react'
import { useMe } from '../../../me.tsx'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { AttachedFiles } from '../content/attached-files.tsx'
import { MessageText } from '../content/message-text.tsx'
import { isHeld } from '../outbox/outbox.ts'
import type { PendingMessage } from '../outbox/pending-message.ts'
import { delivery, pendingToolbar } from './lazy-parts.ts'
import { RowLayout } from './row-layout.tsx'

interface Props {
  pending: PendingMessage
  isGrouped: boolean
}

/** A message that the server has not confirmed: being sent, queued, or failed. */
export function PendingRow({ pending, isGrouped }: Props) {
  const me = useMe()
  const id = useId()
  return (
    <RowLayout
      id={id}
      aria-labelledby={`${id} ${id}-text`}
      user={me}
      time={pending.createdAt}
      isGrouped={isGrouped}
      isFaded
      toolbar={<Lazy load={pendingToolbar} isOptional />}
    >
      {pending.content !== '' && (
        <div id={`${id}-text`} className="message-text">
          <MessageText content={pending.content} />
        </div>
      )}
      {pending.files && <AttachedFiles files={pending.files} />}
      {(pending.state !== 'sending' || isHeld(pending)) && (
        // Without a network the buttons may not have loaded.
        <Lazy load={delivery} waiting={<p className="text-meta">{pending.reason}</p>} isOptional pending={pending} />
      )}
    </RowLayout>
  )
}
