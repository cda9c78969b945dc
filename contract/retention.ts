import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { typedText } from './text.ts'
import { User } from './users.ts'

const Days = z.int().check(z.gte(1), z.lte(limits.retention.days))
const Named = z.object({ id: Id, name: z.string() })

/** Keeps a channel's or a person's messages, overriding all rules. */
export const Hold = z.object({
  id: Id,
  /** Exactly one of the two is set; both are null for a channel that I cannot read. */
  channel: z.nullable(Named),
  person: z.nullable(User),
  reason: z.string(),
  createdBy: User,
  createdAt: Time,
})
export type Hold = z.output<typeof Hold>

export const Retention = z.object({
  /** Retention in days; null keeps everything. */
  days: z.nullable(Days),
  /** Channels with their own rule that I can read; 0 keeps everything. */
  channels: z.array(z.extend(Named, { days: z.int() })),
  holds: z.array(Hold),
})
export type Retention = z.output<typeof Retention>

export const getRetention = endpoint({
  method: 'GET',
  path: '/api/retention',
  summary: 'How long messages are kept, and what is held. For the workspace’s owner.',
  reply: Retention,
})

export const previewRetention = endpoint({
  method: 'POST',
  path: '/api/retention/preview',
  summary: 'About how much a rule would delete now, without what holds keep. For the workspace’s owner.',
  body: z.object({ days: Days, channelId: z.optional(Id) }),
  reply: z.object({
    /** Top-level messages; replies are deleted with them. */
    messages: z.int(),
    files: z.int(),
    bytes: z.int(),
    channels: z.int(),
  }),
})

export const setRetention = endpoint({
  method: 'PUT',
  path: '/api/retention',
  summary:
    'Set how many days messages are kept, in the workspace or in one channel that I can read. Null keeps everything; a channel then follows the workspace, and 0 keeps everything in it. For the workspace’s owner.',
  body: z.object({
    days: z.nullable(z.int().check(z.gte(0), z.lte(limits.retention.days))),
    channelId: z.optional(Id),
  }),
  reply: Retention,
})

export const placeHold = endpoint({
  method: 'POST',
  path: '/api/holds',
  summary: 'Hold a channel or a person: no rule deletes their messages. For the workspace’s owner.',
  body: z.object({
    channelId: z.optional(Id),
    userId: z.optional(UserId),
    reason: z._default(typedText(limits.retention.reason, 0), ''),
  }),
  status: 201,
  reply: Retention,
})

export const liftHold = endpoint({
  method: 'DELETE',
  path: '/api/holds/:holdId',
  summary: 'Lift a hold: the rules apply again. For the workspace’s owner.',
  params: z.object({ holdId: Id }),
  reply: Retention,
})
