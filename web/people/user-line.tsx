import { useQuery } from '@tanstack/react-query'
import { ASSISTANT } from '#contract/ids'
import type { Profile } from '#contract/users'
import { t } from '../i18n/text.ts'
import { Avatar } from '../ui/avatar.tsx'
import { PresenceDot } from '../ui/presence-dot.tsx'
import { AvailabilitySign } from './availability-sign.tsx'
import { shownName } from './shown-name.ts'
import { handleOf } from './shown-person.ts'
import { CurrentEmoji } from './status-emoji.tsx'
import { userById } from './user-queries.ts'

/** A user in a list, with the directory's current name, presence and status. */
export function UserLine({ person }: { person: Profile }) {
  const { data: listed } = useQuery(userById(person.id))
  const shown = listed ?? person
  const { id, username, status, color } = shown
  const [name, handle] = [shownName(shown.name), handleOf(username)]
  // The assistant has no presence.
  const isPerson = id !== ASSISTANT
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2 text-ui">
      <span className="relative me-1">
        <Avatar id={id} name={name} color={color} size="m" />
        {isPerson && (
          <span className="-end-0.75 -bottom-0.75 absolute grid size-3 place-items-center rounded-full bg-raised">
            <PresenceDot isOnline={status === 'online'} />
          </span>
        )}
      </span>
      <bdi className="min-w-0 truncate font-[550] text-ink" title={name}>
        {name}
      </bdi>
      {isPerson && <CurrentEmoji person={shown} />}
      {isPerson && <AvailabilitySign person={shown} />}
      <span className="min-w-[30%] flex-1 truncate text-faint" title={handle}>
        <bdi dir="ltr">{handle}</bdi>
      </span>
      {isPerson && <span className="sr-only">{status === 'online' ? t('people.online') : t('people.offline')}</span>}
    </span>
  )
}
