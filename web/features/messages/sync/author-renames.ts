import type { QueryClient } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import type { User } from '#contract/users'
import { withNames } from '../../../cache/message-update.ts'
import { readAgain } from '../../../cache/patch-query.ts'
import { isWindow } from './message-queries.ts'
import { type MessageWindow, mapWindow } from './message-window.ts'

export type Names = ReturnType<typeof createNames>

/**
 * Keeps the names in all windows those that people have now. With a name no revision moves, so a page or an event may
 * bring an older one at any time later: a window is looked through whenever something entered it.
 */
export function createNames(client: QueryClient) {
  let version: number | undefined
  /** Those who got another name while this was listening. */
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

  /** Before the first connection: the version under which the page's first answers were given. */
  function begin(peopleVersion: number) {
    version ??= peopleVersion
  }

  /** After each connection: of names that changed meanwhile nothing was told. */
  function resume(peopleVersion: number) {
    if (version !== undefined && version !== peopleVersion) {
      renamed.clear()
      client.removeQueries({ predicate: isWindow, type: 'inactive' })
      void readAgain(client, { predicate: isWindow })
    }
    version = peopleVersion
  }

  return { rename, begin, resume, end: unsubscribe }
}
