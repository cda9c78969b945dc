import type { ReactNode } from 'react'
import type { Message } from '#contract/messages'
import { t } from '../../../i18n/text.ts'
import { useMe } from '../../../me.tsx'
import { shownName } from '../../../people/shown-name.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { wholeTime } from '../../../ui/format/clock-time.ts'
import { shortTime } from '../../../ui/format/short-time.ts'
import { useIsDeleted } from '../actions/pending-deletions.ts'
import { AttachedFiles } from '../content/attached-files.tsx'
import { isStreaming } from '../sync/answer-progress.ts'
import { MessageBody } from './message-body.tsx'
import { Shortened } from './shortened.tsx'

interface Props {
  message: Message
  /** After the author's name. */
  place?: ReactNode
  className?: string
  /** Below the text. */
  children: ReactNode
}

/** A message outside of its conversation, in a list of chosen ones: its author, the beginning of its text, and its files. */
export function MessageCard({ message, place, className = '', children }: Props) {
  const isDeleted = useIsDeleted(message)
  const { user, createdAt, files } = message
  const name = shownName(user.name)
  return (
    <article
      aria-label={t('messages.row.label', { name, time: wholeTime(createdAt) })}
      className={`grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2 py-3 ${className}`}
    >
      <span className="*:size-6 *:rounded-s *:text-meta">
        <Avatar id={user.id} name={name} color={user.color} size="s" />
      </span>
      <div className="min-w-0">
        <p className="flex items-baseline gap-2 leading-6">
          <bdi className="truncate font-[620] text-ui">{name}</bdi>
          {place}
          <time
            dateTime={createdAt}
            title={wholeTime(createdAt)}
            className="flex-none text-faint text-meta tabular-nums"
          >
            {shortTime(createdAt)}
          </time>
        </p>
        {isDeleted ? (
          <p className="text-faint text-ui italic">{t('messages.row.deleted')}</p>
        ) : (
          <>
            <Shortened size="l">
              <Text message={message} />
            </Shortened>
            {files.length > 0 && <AttachedFiles files={files} />}
          </>
        )}
        {children}
      </div>
    </article>
  )
}

function Text({ message }: { message: Message }) {
  const me = useMe()
  if (isStreaming(message)) return <p className="text-faint">{t('messages.row.thinking')}</p>
  return <MessageBody id={`card-${message.id}`} message={message} meId={me.id} onResumeEdit={undefined} />
}
