import { useId } from 'react'
import { useMe } from '../../../me.tsx'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { AttachedFiles } from '../content/attached-files.tsx'
import { MessageText } from '../content/message-text.tsx'
import type { PendingMessage } from '../outbox/pending-message.ts'
import { delivery, pendingToolbar } from './lazy-parts.ts'
import { RowLayout } from './row-layout.tsx'

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
      toolbar={<Lazy load={pendingToolbar} />}
    >
      {pending.content !== '' && (
        <div id={`${id}-text`}>
          <MessageText content={pending.content} />
        </div>
      )}
      {pending.files && <AttachedFiles files={pending.files} />}
      {pending.state !== 'sending' && <Lazy load={delivery} pending={pending} />}
    </RowLayout>
  )
}
