import { UsersRound } from 'lucide-react'
import type { Group } from '#contract/groups'

/** A group's sign, username and name, in a row of a list. */
export function GroupLine({ group: { username, name } }: { group: Pick<Group, 'username' | 'name'> }) {
  return (
    <>
      <span className="me-1 grid size-7 flex-none place-items-center rounded-m bg-sunk text-soft">
        <UsersRound size={16} />
      </span>
      <bdi dir="ltr" className="flex-none font-[550] text-ink">
        @{username}
      </bdi>
      <bdi className="min-w-0 truncate text-soft">{name}</bdi>
    </>
  )
}
