import { type ComponentProps, type ReactNode, useState } from 'react'
import type { User } from '#contract/users'
import { StatusEmoji } from '../../../people/status-emoji.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { clockTime, gutterTime, wholeTime } from '../../../ui/format/clock-time.ts'
import { usePointedAt } from './hovered-row.ts'

const looks = {
  plain: 'hover:bg-hover',
  held: 'bg-hover',
  /** It mentions me. */
  calling: 'bg-ember-wash shadow-[inset_2px_0_0_var(--ember)]',
  /** A link led to it. */
  ringed: 'rounded-m bg-pine-wash shadow-[inset_0_0_0_2px_var(--pine)]',
}

interface LayoutProps extends Omit<ComponentProps<'article'>, 'children'> {
  user: User
  time: string
  continues: boolean
  faded?: boolean
  look?: keyof typeof looks
  /** Stands while somebody points at the row or is in it by keyboard; fifty of them would be heavy. */
  toolbar?: ReactNode
  /** Keeps the toolbar while something that it opened is open. */
  isHeld?: boolean
  children: ReactNode
}

/** Avatar, name and time for the first of a run; only the text, and on hover the time, for those that continue it. */
export function RowLayout({
  user,
  time,
  continues,
  faded = false,
  look = 'plain',
  toolbar,
  isHeld = false,
  children,
  ...article
}: LayoutProps) {
  const { isPointedAt, handlers } = usePointedAt()
  const [hasFocus, setFocus] = useState(false)
  return (
    <article
      aria-label={`${user.name}, ${wholeTime(time)}`}
      tabIndex={-1}
      {...handlers}
      onFocus={({ target }) => setFocus(target.matches(':focus-visible'))}
      onBlur={() => setFocus(false)}
      className={`group relative grid grid-cols-[var(--avatar)_minmax(0,1fr)] gap-x-3 px-(--gutter) pb-1 focus-visible:-outline-offset-2 pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none] ${looks[look]} ${continues ? 'pt-0.5' : 'pt-1.5'}`}
      {...article}
    >
      {continues ? (
        <time
          dateTime={time}
          title={wholeTime(time)}
          className="text-right text-faint text-micro leading-[1.375rem] tabular-nums opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
        >
          {gutterTime(time)}
        </time>
      ) : (
        <Avatar id={user.id} name={user.name} />
      )}
      <div className={`min-w-0 max-w-(--measure) ${faded ? 'text-faint' : ''}`}>
        {!continues && (
          <p className="flex items-baseline gap-2 leading-[1.35]">
            <bdi className="truncate font-[620]" title={`@${user.username}`}>
              {user.name}
            </bdi>
            <StatusEmoji userId={user.id} />
            <time dateTime={time} title={wholeTime(time)} className="flex-none text-faint text-meta tabular-nums">
              {clockTime(time)}
            </time>
          </p>
        )}
        {children}
      </div>
      {(isPointedAt || hasFocus || isHeld) && toolbar}
    </article>
  )
}
