import * as z from 'zod/mini'
import { Emoji } from './emoji.ts'
import { endpoint } from './endpoint.ts'
import { ASSISTANT, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { Query, seenText } from './text.ts'

/** A person as their messages show them. */
export const User = z.object({ id: UserId, username: z.string(), name: z.string() })
export type User = z.output<typeof User>

export const DEFAULT_STATUS = '😊'

/** A person as the directory shows them. */
export const Profile = z.extend(User, {
  status: z.enum(['online', 'offline']),
  /** Their status emoji. */
  user_status: z.string(),
  avatarUrl: z.nullable(z.string()),
  /** Nobody speaks for them any more; what they said stays. */
  deactivatedAt: z.nullable(Time),
  /** Only one's own, or asked by an admin. */
  email: z.optional(z.string()),
})
export type Profile = z.output<typeof Profile>

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** A person as they see themselves. */
export const Me = z.extend(User, { email: z.string(), role: z.enum(roles) })
export type Me = z.output<typeof Me>

/** Names a person cannot take: mentions and the assistant speak by them. */
export const reservedUsernames: readonly string[] = [ASSISTANT, 'channel', 'here', 'everyone', 'all']

/** The assistant's name, with joints anywhere, a number behind it, and digits that pass for letters. */
const POSES = '[._-]*[a4] [s5] [s5] [i1l] [s5] t [a4] n t(?: b [o0] t)?[._0-9-]*'.replaceAll(' ', '[._-]*')
const POSER = new RegExp(`^${POSES}$`)
/** Whether somebody could take a username for the assistant's. */
export const posesAsAssistant = (name: string) => POSER.test(name)

const { min, max } = limits.username
const USERNAME = new RegExp(`^(?!(?:${reservedUsernames.join('|')}|${POSES})$)[a-z0-9._-]{${min},${max}}$`)
/** Lower-cased before it is checked, so that a username is unique whatever the case. */
export const isUsername = (name: string) => USERNAME.test(name)

const Username = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.regex(USERNAME, `must have ${min} to ${max} of a-z, 0-9, ".", "_" and "-"`))

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/users',
  summary: 'People by username, without those who were deactivated; those whose username or name holds `query`.',
  query: z.object({ query: z.optional(Query) }),
  alsoStatus: 304,
  reply: z.array(Profile),
})

export const getUser = endpoint({
  method: 'GET',
  path: '/api/users/:userId',
  summary: 'One person.',
  params: z.object({ userId: UserId }),
  reply: Profile,
})

export const updateMe = endpoint({
  method: 'PATCH',
  path: '/api/users/me',
  summary: 'Change my name or username.',
  body: z.object({ name: z.optional(seenText(limits.personName)), username: z.optional(Username) }),
  reply: Me,
})

export const setStatus = endpoint({
  method: 'PUT',
  path: '/api/users/status',
  summary: 'Set my status emoji.',
  body: z.object({ user_status: Emoji }),
  reply: Profile,
})

export const deactivateUser = endpoint({
  method: 'PUT',
  path: '/api/users/:userId/deactivation',
  summary:
    'End all of a person’s sessions and let them in no more; their messages stay, and others take their channels.',
  params: z.object({ userId: UserId }),
  status: 204,
  reply: z.undefined(),
})

export const reactivateUser = endpoint({
  method: 'DELETE',
  path: '/api/users/:userId/deactivation',
  summary: 'Let a person sign in again.',
  params: z.object({ userId: UserId }),
  status: 204,
  reply: z.undefined(),
})
