import type { QueryClient } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import type { User } from '#contract/users'
import { withNames } from '../../../cache/message-update.ts'
import { refetch } from '../../../cache/patch-query.ts'
import { isWindow } from './message-queries.ts'
import { type MessageWindow, mapWindow } from './message-window.ts'

export type AuthorRenames = ReturnType<typeof createAuthorRenames>

/**
 * Keeps the names in all windows current. Renaming somebody moves no revision, so a page or event may bring an old name
 * at any later time: every update of a window is checked.
 */
export function createAuthorRenames(client: QueryClient) {
  let version: number | undefined
  /** People who were renamed since this began to listen. */
  const renamed = new Map<string, Payload<'user:updated'>>()

  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && renamed.size > 0 && isWindow(query)) correct(query.queryKey)
  })

  function correct(queryKey: readonly unknown[]) {
    const held = client.getQueryData<MessageWindow>(queryKey)
    const named = held && mapWindow(held, (message) => withNames(message, nameOf))
    if (named !== held) client.setQueryData(queryKey, named)
  }

  function nameOf(person: User): User {
    const { id, username, name } = renamed.get(person.id) ?? person
    return username === person.username && name === person.name ? person : { id, username, name }
  }

  function rename(person: Payload<'user:updated'>) {
    const { id, peopleVersion } = person
    if (peopleVersion < (renamed.get(id)?.peopleVersion ?? 0)) return
    renamed.set(id, person)
    version = Math.max(version ?? 0, peopleVersion)
    for (const { queryKey } of client.getQueryCache().findAll({ predicate: isWindow })) correct(queryKey)
  }

  /** Call before the first connection, with the version of the page's first responses. */
  function begin(peopleVersion: number) {
    version ??= peopleVersion
  }

  /** Call after each connection: renames made meanwhile published nothing to this client. */
  function resume(peopleVersion: number) {
    if (version !== undefined && version !== peopleVersion) {
      renamed.clear()
      client.removeQueries({ predicate: isWindow, type: 'inactive' })
      void refetch(client, { predicate: isWindow })
    }
    version = peopleVersion
  }

  return { rename, begin, resume, end: unsubscribe }
}
