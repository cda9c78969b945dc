import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'

/** A browser or program in which I am signed in. */
export const Session = z.object({
  id: Id,
  /** Whether it is the one that asks. */
  isCurrent: z.boolean(),
  /** What it said of itself, in words: 'Firefox on Linux'. */
  device: z.string(),
  ipAddress: z.nullable(z.string()),
  createdAt: Time,
  /** To the minute. */
  lastUsedAt: Time,
})
export type Session = z.output<typeof Session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  summary: 'Where I am signed in; this session first, then by last use.',
  reply: z.array(Session),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/sessions/:sessionId',
  summary: 'Sign out one of my sessions: its token and its sockets end within a second, on every server.',
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
