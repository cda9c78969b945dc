import { memo, type ReactNode } from 'react'
import type { Message } from '#contract/messages'
import type { User } from '#contract/users'
import { Avatar } from '../../ui/avatar.tsx'
import { MessageText } from './markdown.tsx'
import { clockTime, gutterTime, wholeTime } from './message-times.ts'

interface LayoutProps {
  user: User
  time: string
  continues: boolean
  faded?: boolean
  children: ReactNode
}

/** Avatar, name and time for the first of a run; only the text, and on hover the time, for those that continue it. */
export function RowLayout({ user, time, continues, faded = false, children }: LayoutProps) {
  return (
    <article
      aria-label={`${user.name}, ${wholeTime(time)}`}
      className={`group grid grid-cols-[var(--avatar)_minmax(0,1fr)] gap-x-3 px-(--gutter) pb-1 hover:bg-hover ${continues ? 'pt-0.5' : 'pt-1.5'}`}
    >
      {continues ? (
        <time
          dateTime={time}
          title={wholeTime(time)}
          className="text-right text-faint text-micro leading-[22px] tabular-nums opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
        >
          {gutterTime(time)}
        </time>
      ) : (
        <Avatar id={user.id} name={user.name} />
      )}
      <div className={`min-w-0 ${faded ? 'text-faint' : ''}`}>
        {!continues && (
          <p className="flex items-baseline gap-2 leading-[1.35]">
            <bdi className="truncate font-[620]" title={`@${user.username}`}>
              {user.name}
            </bdi>
            <time dateTime={time} title={wholeTime(time)} className="flex-none text-faint text-meta tabular-nums">
              {clockTime(time)}
            </time>
          </p>
        )}
        {children}
      </div>
    </article>
  )
}

export const MessageRow = memo(function MessageRow({ message, continues }: { message: Message; continues: boolean }) {
  return (
    <RowLayout user={message.user} time={message.createdAt} continues={continues}>
      {message.deletedAt ? (
        <p className="text-faint italic">Message deleted</p>
      ) : (
        <MessageText content={message.content} />
      )}
      {message.editedAt && !message.deletedAt && (
        <span className="text-faint text-micro" title={wholeTime(message.editedAt)}>
          edited
        </span>
      )}
    </RowLayout>
  )
})
