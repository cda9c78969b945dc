import type { QueryClient } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import type { Face } from '#contract/users'
import { withNames } from '../../../cache/message-update.ts'
import { refetch } from '../../../cache/patch-query.ts'
import { isWindow } from './message-queries.ts'
import { type MessageWindow, mapWindow } from './message-window.ts'

export type AuthorRenames = ReturnType<typeof createAuthorRenames>

/**
 * Keeps the names in all windows current. Renaming a user changes no revision, so any later page or event may still carry
 * the old name: every update of a window is checked.
 */
export function createAuthorRenames(client: QueryClient) {
  let version: number | undefined
  /** Users renamed since this was created. */
  const renamed = new Map<string, Payload<'user:updated'>>()

  const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && renamed.size > 0 && isWindow(query)) correct(query.queryKey)
  })

  function correct(queryKey: readonly unknown[]) {
    const window = client.getQueryData<MessageWindow>(queryKey)
    const corrected = window && mapWindow(window, (message) => withNames(message, nameOf))
    if (corrected !== window) client.setQueryData(queryKey, corrected)
  }

  function nameOf(user: Face): Face {
    const { username, name } = renamed.get(user.id) ?? user
    if (username === user.username && name === user.name) return user
    // The directory knows whether the new name is a namesake's.
    const { isNamesake: _, ...rest } = user
    return { ...rest, username, name }
  }

  function rename(user: Payload<'user:updated'>) {
    const { id, peopleVersion } = user
    if (peopleVersion < (renamed.get(id)?.peopleVersion ?? 0)) return
    renamed.set(id, user)
    version = Math.max(version ?? 0, peopleVersion)
    for (const { queryKey } of client.getQueryCache().findAll({ predicate: isWindow })) correct(queryKey)
  }

  /** Call before the first connection, with the version of the page's first responses. */
  function begin(peopleVersion: number) {
    version ??= peopleVersion
  }

  /** Call after each connection: this client has missed renames made while it was disconnected. */
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
