import { useQuery } from '@tanstack/react-query'
import { ASSISTANT } from '#contract/ids'
import { DEFAULT_STATUS, type Profile } from '#contract/users'
import { t } from '../i18n/text.ts'
import { allUsers } from './user-queries.ts'

/**
 * A person's status emoji, unless it is the default one. It never fetches, because every message renders one: it reads
 * the cached directory.
 */
export function StatusEmoji({ userId }: { userId: string }) {
  const { data: emoji } = useQuery({
    ...allUsers,
    enabled: false,
    select: (people) => statusesOf(people).get(userId),
  })
  if (!emoji) return null
  const name = t('people.status', { emoji })
  return (
    <span role="img" aria-label={name} title={name} className="flex-none text-body leading-none">
      {emoji}
    </span>
  )
}

const statuses = new WeakMap<readonly Profile[], ReadonlyMap<string, string>>()

/** Statuses by user id, computed once for each version of the directory. */
function statusesOf(people: readonly Profile[]) {
  const known = statuses.get(people)
  if (known) return known
  const shown = people.filter(({ id, user_status }) => id !== ASSISTANT && user_status !== DEFAULT_STATUS)
  const computed = new Map(shown.map(({ id, user_status }) => [id, user_status]))
  statuses.set(people, computed)
  return computed
}
