import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { DELETED_NAME } from '#contract/deleted-accounts'
import type { Payload } from '#contract/events'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { getUser, listUsers, type Profile, type User } from '#contract/users'
import { call } from '../api-client/api.ts'
import { isPageIdle } from '../cache/means-me.ts'
import { patch, refetch } from '../cache/patch-query.ts'
import { serverNow } from '../ui/format/clock.ts'
import { notePictures } from '../ui/pictures.ts'

/** The server's reply has an unexpected form, such as another program's page. */
export class InvalidReplyError extends Error {}

/** All users, by username. */
export const allUsers = queryOptions({
  queryKey: ['users'] as const,
  queryFn: async () => {
    const people: unknown = await call(listUsers, { query: {} })
    if (!Array.isArray(people)) throw new InvalidReplyError('The users are not a list')
    return people as Profile[]
  },
})

export const profileOf = (userId: string) =>
  queryOptions({
    queryKey: ['users', userId] as const,
    queryFn: () => call(getUser, { params: { userId } }),
  })

const indices = new WeakMap<Profile[], Map<string, Profile>>()

/** A user of the directory. Every row of a list looks one up, so the directory is indexed once. */
export const userById = (id: string) =>
  queryOptions({
    ...allUsers,
    select: (people) => {
      const index = indices.get(people) ?? new Map(people.map((person) => [person.id, person]))
      indices.set(people, index)
      return index.get(id)
    },
  })

export function applyUserStatus(client: QueryClient, { userId, ...status }: Payload<'user:status_changed'>) {
  const update = (person: Profile) => ({ ...person, isIdle: false, ...status })
  patchUser(client, userId, update)
  client.setQueryData(profileOf(userId).queryKey, (person) => person && update(person))
}

/** My own availability, which others do not see in full; fetched by `availability-queries.ts`. */
export const AVAILABILITY_KEY = ['availability'] as const
export function applyAvailability(client: QueryClient, availability: Payload<'user:availability_changed'>) {
  client.setQueryData(AVAILABILITY_KEY, availability)
  // The response of a fetch in flight may be older.
  patch(client, AVAILABILITY_KEY, (held) =>
    JSON.stringify(held) === JSON.stringify(availability) ? held : availability,
  )
}

/**
 * A message as it counts for me: `@here` leaves out who is away, idle on all devices, invisible or not to be disturbed, as far as
 * the page knows.
 */
export function asMeant<M extends Pick<Message, 'broadcast'>>(client: QueryClient, message: M, me: string): M {
  if (message.broadcast !== 'here') return message
  const listed = client.getQueryData(allUsers.queryKey)?.find(({ id }) => id === me)
  const own = client.getQueryData<Payload<'user:availability_changed'>>(AVAILABILITY_KEY)
  const { availability, quietUntil } = own ?? listed ?? {}
  const isQuiet = availability === 'quiet' && Date.parse(quietUntil ?? '') > serverNow()
  // The event about this page comes later.
  const isIdle = listed?.isIdle === true && isPageIdle()
  const isAbsent = availability === 'away' || availability === 'invisible' || isQuiet || isIdle
  return isAbsent ? { ...message, broadcast: null } : message
}

/** Applies a new name, picture or colour. If none changed, the user was deactivated or reactivated. */
export function applyUserUpdate(client: QueryClient, { peopleVersion: _, ...user }: Payload<'user:updated'>) {
  // They may be in no cached list.
  notePictures([user])
  const held = client.getQueryData(allUsers.queryKey)?.find(({ id }) => id === user.id)
  const update = (person: Profile) => updateOf(person, user)
  // A deleted account is no longer in the directory.
  if (held && user.name !== DELETED_NAME && update(held) !== held) patchUser(client, user.id, update)
  else void refetch(client, { queryKey: allUsers.queryKey })
  patch(client, profileOf(user.id).queryKey, update)
}

type Update = Pick<Payload<'user:updated'>, 'username' | 'name' | 'color' | 'avatarUrl' | 'isNamesake'>

/** Returns the same person if nothing changed. An event without a picture, colour or mark leaves those unchanged. */
export function updateOf(person: Profile, update: Update): Profile {
  const { username, name, color = person.color, avatarUrl = person.avatarUrl } = update
  const { isNamesake: wasNamesake = false, ...rest } = person
  const { isNamesake = wasNamesake } = update
  const isSame = person.username === username && person.name === name && person.avatarUrl === avatarUrl
  if (isSame && person.color === color && isNamesake === wasNamesake) return person
  return { ...rest, username, name, color, avatarUrl, ...(isNamesake && { isNamesake }) }
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
