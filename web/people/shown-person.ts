import { isDeletedUsername } from '#contract/deleted-usernames'
import { shownName } from './shown-name.ts'

/** A person with the name that is shown. */
export const withShownName = <P extends { name: string }>(person: P): P => ({ ...person, name: shownName(person.name) })

/** '@ada'; undefined for a deleted account, which has no username. */
export const handleOf = (username: string) => (isDeletedUsername(username) ? undefined : `@${username}`)
