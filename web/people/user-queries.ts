import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import { limits } from '#contract/limits'
import { listUsers, type Profile, type User } from '#contract/users'
import { call } from '../api-client/api.ts'
import { patch, refetch } from '../cache/patch-query.ts'

/** The server's reply is not what it should be, such as another program's page. */
export class InvalidReplyError extends Error {}

/** All users, by username. */
export const allUsers = queryOptions({
  queryKey: ['users'] as const,
  queryFn: async () => {
    const people: unknown = await call(listUsers, { query: {} })
    if (!Array.isArray(people)) throw new InvalidReplyError('The users are no list')
    return people as Profile[]
  },
})

export const applyUserStatus = (client: QueryClient, { userId, ...status }: Payload<'user:status_changed'>) =>
  patchUser(client, userId, (person) => ({ ...person, ...status }))

/** A user was renamed; with the same name, they were deactivated or reactivated. */
export function applyUserUpdate(client: QueryClient, { id, username, name }: User) {
  const held = client.getQueryData(allUsers.queryKey)?.find((person) => person.id === id)
  const isRenamed = held && (held.username !== username || held.name !== name)
  if (isRenamed) patchUser(client, id, (person) => ({ ...person, username, name }))
  else void refetch(client, { queryKey: allUsers.queryKey })
}

/** Refetches the directory for a user that it does not contain. */
export function refetchIfUnknown(client: QueryClient, { user: { id } }: { user: User }) {
  const { queryKey } = allUsers
  const people = client.getQueryData(queryKey) ?? []
  // A directory longer than one response is never complete.
  if (people.length < limits.people && !people.some((person) => person.id === id)) void refetch(client, { queryKey })
}

function patchUser(client: QueryClient, userId: string, apply: (person: Profile) => Profile) {
  patch(client, allUsers.queryKey, (people) =>
    people
      .map((person) => (person.id === userId ? apply(person) : person))
      .sort((a, b) => (a.username < b.username ? -1 : 1)),
  )
}
