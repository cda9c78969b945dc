import { useQuery } from '@tanstack/react-query'
import { ASSISTANT } from '#contract/ids'
import { DEFAULT_STATUS, type Profile } from '#contract/users'
import { EmojiSign } from '../emoji/emoji-sign.tsx'
import { t } from '../i18n/text.ts'
import { useCurrentStatus } from './current-status.ts'
import { allUsers } from './user-queries.ts'

/**
 * A person's status emoji, unless it is the default one without a text. It never fetches, because every message renders
 * one: it reads the cached directory.
 */
export function StatusEmoji({ userId }: { userId: string }) {
  const { data: person } = useQuery({
    ...allUsers,
    enabled: false,
    select: (people) => statusesOf(people).get(userId),
  })
  return person ? <CurrentEmoji person={person} /> : null
}

/** The title of a status: its text, or a generic one. */
const statusTitle = (emoji: string, text: string) => (text ? `${emoji} ${text}` : t('people.status', { emoji }))

/** Renders nothing once the status has ended. */
export function CurrentEmoji({ person }: { person: Profile }) {
  const { emoji, text, isSet } = useCurrentStatus(person)
  if (!isSet) return null
  const name = statusTitle(emoji, text)
  return (
    <span role="img" aria-label={name} title={name} className="flex-none text-body leading-none">
      <EmojiSign emoji={emoji} />
    </span>
  )
}

const statuses = new WeakMap<readonly Profile[], ReadonlyMap<string, Profile>>()

/** People with a status by their ids, computed once for each version of the directory. */
function statusesOf(people: readonly Profile[]) {
  const known = statuses.get(people)
  if (known) return known
  const shown = people.filter(
    ({ id, user_status, statusText }) => id !== ASSISTANT && (user_status !== DEFAULT_STATUS || statusText),
  )
  const computed = new Map(shown.map((person) => [person.id, person]))
  statuses.set(people, computed)
  return computed
}
