import * as z from 'zod/mini'
import { UserId } from './ids.ts'
import { limits } from './limits.ts'

/** A person as others see them. */
export const User = z.object({ id: UserId, username: z.string(), name: z.string() })
export type User = z.output<typeof User>

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** A person as they see themselves. */
export const Me = z.extend(User, { email: z.string(), role: z.enum(roles) })
export type Me = z.output<typeof Me>

/** Names a person cannot take: mentions and the assistant speak by them. */
export const reservedUsernames: readonly string[] = ['assistant-bot', 'channel', 'here', 'everyone', 'all']

/** Lower-cased before it is checked, so that a username is unique whatever the case. */
export const isUsername = (name: string) =>
  /^[a-z0-9._-]+$/.test(name) &&
  name.length >= limits.username.min &&
  name.length <= limits.username.max &&
  !reservedUsernames.includes(name)
