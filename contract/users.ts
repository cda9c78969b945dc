import * as z from 'zod/mini'
import { AnyEmoji } from './emoji.ts'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { ASSISTANT, EndTime, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { Level } from './notifications.ts'
import { permissions } from './permissions.ts'
import { roles } from './roles.ts'
import { Query, seenText } from './text.ts'

/** A user as shown beside messages. */
export const User = z.object({
  id: UserId,
  username: z.string(),
  name: z.string(),
  /** Whether somebody else already had a name that looks the same when they chose theirs. */
  isNamesake: z.optional(z.boolean()),
})
export type User = z.output<typeof User>

/** A user whose picture is shown. */
export const Face = z.extend(User, {
  /**
   * The number of the colour behind their initials, assigned when they joined. Absent for the assistant, and in what nodes of an
   * earlier version send.
   */
  color: z.optional(z.nullable(z.int())),
})
export type Face = z.output<typeof Face>

export const DEFAULT_STATUS = '😊'

/** A user as shown in the directory. */
export const Profile = z.extend(Face, {
  status: z.enum(['online', 'offline']),
  /** Their status emoji and text. Both end at `statusUntil`, if set. */
  user_status: z.string(),
  statusText: z.optional(z.string()),
  statusUntil: z.optional(z.nullable(Time)),
  /** Away, or do not disturb until a time; set manually. */
  availability: z.optional(z.nullable(z.enum(['away', 'quiet']))),
  quietUntil: z.optional(z.nullable(Time)),
  /** Online, but without input for ten minutes: shown as away. Absent otherwise. */
  isIdle: z.optional(z.boolean()),
  /** Their picture at 256 pixels; see contract/avatars.ts for smaller sizes. */
  avatarUrl: z.nullable(z.string()),
  /** Deactivated; their messages stay. */
  deactivatedAt: z.nullable(Time),
  /** Only for oneself, or for admins. */
  email: z.optional(z.string()),
})
export type Profile = z.output<typeof Profile>

/** Roles that the owner assigns; there is one owner, and guests join by invite. */
const givenRoles = ['admin', 'member'] as const

/** The signed-in user. */
export const Me = z.extend(Face, {
  email: z.string(),
  role: z.enum(roles),
  /** The role's permissions in this workspace. If absent, the defaults. */
  may: z.optional(z.array(z.enum(permissions))),
  /** When a guest's access ends. */
  guestUntil: z.optional(z.nullable(Time)),
  /** Until when they are muted: they cannot write, react or upload. */
  mutedUntil: z.optional(z.nullable(Time)),
  /** Whether the owner demands a second factor and I have none, so I can only set one up. Only in the session. */
  needsSecondFactor: z.optional(z.boolean()),
  /** When I will need a second factor, which I don't have yet. Only in the session. */
  secondFactorAt: z.optional(z.nullable(Time)),
  /** What the workspace is called. Only in the session. */
  workspaceName: z.optional(z.string()),
  /** Whether the workspace keeps and shows earlier texts of edited messages. Only in the session. */
  hasEditHistory: z.optional(z.boolean()),
  /** What notifies me in channels for which I chose nothing else. Only in the session. */
  notificationLevel: z.optional(Level),
  /** The words that notify me. Only in the session. */
  keywords: z.optional(z.array(z.string())),
  /** Whether I own the workspace and haven't seen its first screen yet. Only in the session. */
  needsSetUp: z.optional(z.boolean()),
  /** Whether the workspace is filled with the demo. Only in the session. */
  isDemo: z.optional(z.boolean()),
  /** Whether the owner asks me to take over the workspace. Only in the session. */
  isAskedToOwn: z.optional(z.boolean()),
  /** The code of the language of their interface; null for the browser's. */
  language: z.nullable(z.string()),
  /** Whether the first steps were completed or closed. Only in the session. */
  isWelcomed: z.optional(z.boolean()),
  /** Whether the address is unconfirmed although the server sends mail. Only in the session. */
  isUnconfirmed: z.optional(z.boolean()),
})
export type Me = z.output<typeof Me>

/** Reserved usernames: group mentions and the assistant use them. */
export const reservedUsernames: readonly string[] = [ASSISTANT, 'channel', 'here', 'everyone', 'all']

/** The assistant's name with separators anywhere, a trailing number, or digits that look like letters. */
const POSES = '[._-]*[a4] [s5] [s5] [i1l] [s5] t [a4] n t(?: b [o0] t)?[._0-9-]*'.replaceAll(' ', '[._-]*')
const POSER = new RegExp(`^${POSES}$`)
/** Whether a username could be mistaken for the assistant's. */
export const posesAsAssistant = (name: string) => POSER.test(name)

const { min, max } = limits.username
const USERNAME = new RegExp(`^(?!(?:${reservedUsernames.join('|')}|${POSES})$)[a-z0-9._-]{${min},${max}}$`)
/** Expects lower case: usernames are unique regardless of case. */
export const isUsername = (name: string) => USERNAME.test(name)
const isFree = (name: string) => !reservedUsernames.includes(name) && !posesAsAssistant(name)

/** A person's or a group's: they share one namespace. */
export const Username = z.string().check(
  z.trim(),
  z.toLowerCase(),
  // First, because the pattern rejects reserved names as well, but without that reason.
  z.refine(isFree, { error: fieldProblem('errors.reserved'), abort: true }),
  z.regex(USERNAME, fieldProblem('errors.notAUsername', { min, max })),
)

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/users',
  summary: 'Active users by username; with `query`, those whose username or name contains it.',
  query: z.object({ query: z.optional(Query) }),
  alsoStatus: 304,
  reply: z.array(Profile),
})

export const getUser = endpoint({
  method: 'GET',
  path: '/api/users/:userId',
  summary: 'One user.',
  params: z.object({ userId: UserId }),
  reply: Profile,
})

const LANGUAGE_RULE = fieldProblem('errors.notALanguage')
/** A BCP 47 code, such as 'de' or 'pt-BR'. Any is accepted; Parley falls back to the browser's language. */
const LanguageCode = z
  .string()
  .check(
    z.minLength(2, LANGUAGE_RULE),
    z.maxLength(35, LANGUAGE_RULE),
    z.regex(/^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i, LANGUAGE_RULE),
  )

export const updateMe = endpoint({
  method: 'PATCH',
  path: '/api/users/me',
  summary: 'Change my name, my username or the language I read Parley in (null for the language of my browser).',
  body: z.object({
    name: z.optional(seenText(limits.personName)),
    username: z.optional(Username),
    language: z.optional(z.nullable(LanguageCode)),
  }),
  reply: Me,
})

export const setStatus = endpoint({
  method: 'PUT',
  path: '/api/users/status',
  summary:
    'Set my status: an emoji, a text, and when it ends by itself. What is left out is removed. With `isQuiet`, do not disturb is on until it ends, which `until` has to say.',
  body: z.object({
    user_status: AnyEmoji,
    text: z.optional(seenText(limits.statusText, 0)),
    until: z.optional(z.nullable(EndTime)),
    isQuiet: z.optional(z.boolean()),
  }),
  reply: Profile,
})

export const changeRole = endpoint({
  method: 'PUT',
  path: '/api/users/:userId/role',
  summary:
    'Make a user an admin, or a member again. For the owner. The invite and password links of a former admin end.',
  params: z.object({ userId: UserId }),
  body: z.object({ role: z.enum(givenRoles, fieldProblem('errors.notOneOf', { options: givenRoles.join(', ') })) }),
  status: 204,
  reply: z.undefined(),
})

export const deactivateUser = endpoint({
  method: 'PUT',
  path: '/api/users/:userId/deactivation',
  summary:
    'Deactivate a user: their sessions end and they cannot sign in. Their messages stay. Their channels go to `heirId`, private ones only if that is a member, otherwise to their longest-standing member. With `deletesChannels`, channels that nobody else has written in are deleted.',
  params: z.object({ userId: UserId }),
  body: z.optional(z.object({ heirId: z.optional(z.nullable(UserId)), deletesChannels: z.optional(z.boolean()) })),
  status: 204,
  reply: z.undefined(),
})

export const countOwnedChannels = endpoint({
  method: 'GET',
  path: '/api/users/:userId/owned-channels',
  summary:
    'How many channels a user owns, and in how many of them nobody else has written. For those who may deactivate the user.',
  params: z.object({ userId: UserId }),
  reply: z.object({ owned: z.int(), leftover: z.int() }),
})

export const reactivateUser = endpoint({
  method: 'DELETE',
  path: '/api/users/:userId/deactivation',
  summary: 'Reactivate a user.',
  params: z.object({ userId: UserId }),
  status: 204,
  reply: z.undefined(),
})
