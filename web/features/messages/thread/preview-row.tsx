import type { ReactNode } from 'react'
import type { Message } from '#contract/messages'
import type { Face } from '#contract/users'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { shownName } from '../../../people/shown-name.ts'
import { handleOf } from '../../../people/shown-person.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { FileIcon } from '../../../ui/file-icon.tsx'
import { FileName } from '../../../ui/file-name.tsx'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { shortTime } from '../../../ui/format/short-time.ts'
import { Lazy } from '../../../ui/lazy/lazy.tsx'
import { TextPreview } from '../content/text-preview.tsx'
import { isHeld } from '../outbox/outbox.ts'
import type { PendingMessage } from '../outbox/pending-message.ts'
import { delivery } from '../row/lazy-parts.ts'
import { isStreaming } from '../sync/answer-progress.ts'

/** A stored message in two lines. */
export function PreviewRow({ message, isReply = false }: { message: Message; isReply?: boolean }) {
  const { user, createdAt, content, files, deletedAt } = message
  const me = useMe()
  const isGone = content === '' && files.length === 0
  return (
    <Row user={user} time={createdAt} isReply={isReply}>
      {deletedAt && <p className="text-faint italic">{t('messages.row.deleted')}</p>}
      {!deletedAt && isGone && <p className="text-faint italic">{t('messages.row.fileDeleted')}</p>}
      {isStreaming(message) && <p className="text-faint">{t('messages.row.thinking')}</p>}
      {!deletedAt && !isStreaming(message) && content !== '' && <TextPreview message={message} meId={me.id} />}
      {!deletedAt && <FileNames files={files} />}
    </Row>
  )
}

/** A reply that the server has not confirmed. */
export function PendingPreview({ pending }: { pending: PendingMessage }) {
  const me = useMe()
  return (
    <Row user={me} time={pending.createdAt} isReply isFaded>
      {pending.content !== '' && <TextPreview message={pending} meId={me.id} />}
      <FileNames files={pending.files ?? []} />
      {(pending.state !== 'sending' || isHeld(pending)) && <Lazy load={delivery} pending={pending} />}
    </Row>
  )
}

interface RowProps {
  user: Face
  time: string
  isReply: boolean
  isFaded?: boolean
  children: ReactNode
}

function Row({ user, time, isReply, isFaded = false, children }: RowProps) {
  const name = shownName(user.name)
  return (
    <article
      aria-label={t('messages.row.label', { name, time: wholeTime(time) })}
      className={`flex py-1.5 ${isReply ? 'gap-2 *:first:size-6 *:first:rounded-s *:first:text-meta' : 'gap-3'}`}
    >
      <Avatar id={user.id} name={name} color={user.color} size={isReply ? 's' : 'l'} />
      <div className={`min-w-0 flex-1 ${isFaded ? 'text-faint' : ''}`}>
        <p className="flex items-baseline gap-2 leading-[1.35]">
          <bdi className={`truncate font-[620] ${isReply ? 'text-ui' : ''}`} title={handleOf(user.username)}>
            {name}
          </bdi>
          <time dateTime={time} title={wholeTime(time)} className="flex-none text-faint text-meta tabular-nums">
            {shortTime(time)}
          </time>
        </p>
        {children}
      </div>
    </article>
  )
}

function FileNames({ files }: { files: readonly { id: string; name: string; type: string }[] }) {
  return files.map(({ id, name, type }) => (
    <p key={id} className="flex items-center gap-1.5 text-soft text-ui">
      <FileIcon type={type} name={name} size={14} />
      <span title={name} className="min-w-0">
        <FileName name={name} />
      </span>
    </p>
  ))
}
