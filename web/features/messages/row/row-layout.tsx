import { type ComponentProps, type ReactNode, useState } from 'react'
import type { Face, User } from '#contract/users'
import { t } from '../../../i18n/text.ts'
import { NamesakeHandle } from '../../../people/namesake-handle.tsx'
import { shownName } from '../../../people/shown-name.ts'
import { StatusEmoji } from '../../../people/status-emoji.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { clockTime, gutterTime, wholeTime } from '../../../ui/format/clock-time.ts'
import { useHoveredRow } from './hovered-row.ts'

const variants = {
  plain: 'hover:bg-hover',
  active: 'bg-hover',
  mention: 'bg-ember-wash shadow-[inset_2px_0_0_var(--ember)] rtl:shadow-[inset_-2px_0_0_var(--ember)]',
  highlighted: 'rounded-m bg-pine-wash shadow-[inset_0_0_0_2px_var(--pine)]',
}

interface LayoutProps extends Omit<ComponentProps<'article'>, 'children'> {
  user: Face
  time: string
  isGrouped: boolean
  isFaded?: boolean
  variant?: keyof typeof variants
  /** Rendered only while the row is hovered or has the keyboard focus, because fifty of them would be slow. */
  toolbar?: ReactNode
  /** Keeps the toolbar while a popup of the row is open. */
  keepsToolbar?: boolean
  children: ReactNode
}

/** Shows avatar, name and time for the first message of a group; the others show their time on hover. */
export function RowLayout({
  user,
  time,
  isGrouped,
  isFaded = false,
  variant = 'plain',
  toolbar,
  keepsToolbar = false,
  children,
  ...article
}: LayoutProps) {
  const name = shownName(user.name)
  const { isHovered, handlers } = useHoveredRow()
  const [hasFocus, setFocus] = useState(false)
  return (
    <article
      aria-label={t('messages.row.label', { name, time: wholeTime(time) })}
      tabIndex={-1}
      {...handlers}
      onFocus={({ target }) => setFocus(target.matches(':focus-visible'))}
      onBlur={() => setFocus(false)}
      className={`group relative grid grid-cols-[var(--avatar)_minmax(0,1fr)] gap-x-3 message-row pb-1 focus-visible:rounded-m focus-visible:-outline-offset-4 pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none] ${variants[variant]} ${isGrouped ? 'pt-0.5' : 'pt-1.5'}`}
      {...article}
    >
      {isGrouped ? (
        <time
          dateTime={time}
          title={wholeTime(time)}
          className="text-end text-faint text-micro leading-[1.375rem] tabular-nums opacity-0 group-focus-within:opacity-100 group-hover:opacity-100"
        >
          {gutterTime(time)}
        </time>
      ) : (
        <span data-person={user.id} className="relative h-fit after:absolute after:-inset-1">
          <Avatar id={user.id} name={name} color={user.color} />
        </span>
      )}
      <div className={`min-w-0 max-w-(--measure) ${isFaded ? 'text-faint' : ''}`}>
        {!isGrouped && <AuthorLine user={user} name={name} time={time} />}
        {children}
      </div>
      {(isHovered || hasFocus || keepsToolbar) && toolbar}
    </article>
  )
}

function AuthorLine({ user, name, time }: { user: User; name: string; time: string }) {
  return (
    <p className="flex items-baseline gap-2 leading-[1.35]">
      <button
        type="button"
        tabIndex={-1}
        aria-haspopup="dialog"
        data-person={user.id}
        title={`@${user.username}`}
        className="select-text truncate font-[620] hover:underline"
      >
        <bdi>{name}</bdi>
      </button>
      <NamesakeHandle user={user} />
      <StatusEmoji userId={user.id} />
      <time dateTime={time} title={wholeTime(time)} className="flex-none text-faint text-meta tabular-nums">
        {clockTime(time)}
      </time>
    </p>
  )
}
