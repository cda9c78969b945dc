import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/users'
import { handleOf } from './shown-person.ts'
import { userById } from './user-queries.ts'

/**
 * '@olga' after a name that somebody else had first. Whether that is still so is read from the cached directory, which lacks
 * people who were deactivated. It never fetches, because every message renders one.
 */
export function NamesakeHandle({ user, className = 'max-w-1/2' }: { user: User; className?: string }) {
  const { select, ...directory } = userById(user.id)
  const isMarked = (listed: User | undefined) => (listed ?? user).isNamesake ?? false
  const { data: isNamesake = isMarked(undefined) } = useQuery({
    ...directory,
    enabled: false,
    select: (people) => isMarked(select?.(people)),
  })
  const handle = handleOf(user.username)
  if (!isNamesake || !handle) return null
  return (
    // A long name doesn't hide it.
    <bdi dir="ltr" title={handle} className={`flex-none truncate text-faint text-meta ${className}`}>
      {handle}
    </bdi>
  )
}
