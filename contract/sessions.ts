import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'

/** A browser or program I am signed in with. */
export const Session = z.object({
  id: Id,
  /** Whether it is the requesting session. */
  isCurrent: z.boolean(),
  /** From the user agent: 'Firefox on Linux'. */
  device: z.string(),
  /** The parts of `device`, if known. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** Whether it is an unknown program rather than a browser. */
  isApp: z.boolean(),
  /** Whether it began within the last week, on a device that I had never used before. */
  isNew: z.boolean(),
  ipAddress: z.nullable(z.string()),
  createdAt: Time,
  /** Rounded to the minute. */
  lastUsedAt: Time,
})
export type Session = z.output<typeof Session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  summary: 'My sessions: this one first, then by last use.',
  reply: z.array(Session),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/sessions/:sessionId',
  summary: 'Sign out one of my sessions. Its token and its sockets end within a second, on every node.',
  params: z.object({ sessionId: Id }),
  status: 204,
  reply: z.undefined(),
})

export const endSessions = endpoint({
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'Sign out all of my sessions, or all but this one.',
  query: z.object({ except: z.optional(z.literal('current')) }),
  status: 204,
  reply: z.undefined(),
})
