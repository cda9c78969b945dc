import * as z from 'zod/mini'
import { Channel } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { Id, numeral } from './ids.ts'
import { limits } from './limits.ts'
import { Message } from './messages.ts'

/** What changed in a channel after a revision: the messages that did, and the channel itself if it did. */
const Changed = z.object({ rev: z.int(), messages: z.array(Message), channel: z.optional(Channel) })
/** Too much changed, or this is another database than the one the revision is of: read the channel anew. */
const Reload = z.object({ rev: z.int(), reload: z.literal(true) })
export const Changes = z.union([Reload, Changed])
export type Changes = z.output<typeof Changes>

export const listChanges = endpoint({
  method: 'GET',
  path: '/api/channels/:channelId/changes',
  summary: 'What changed in a channel after a revision.',
  params: z.object({ channelId: Id }),
  query: z.object({ after: numeral(0) }),
  reply: Changes,
})

export const sync = endpoint({
  method: 'POST',
  path: '/api/sync',
  summary: 'After a time away: what changed in each of the channels I hold. Channels that did not move are left out.',
  body: z.object({
    epoch: z.string(),
    revs: z
      .record(Id, z.int().check(z.gte(0)))
      .check(
        z.refine(
          (revs) => Object.keys(revs).length <= limits.syncedChannels,
          `holds more than ${limits.syncedChannels} channels`,
        ),
      ),
  }),
  reply: z.object({
    /** Another one than the one sent: everything held is of another database. */
    epoch: z.string(),
    channels: z.record(Id, Changes),
    /** Those I may not read any more. */
    gone: z.array(Id),
  }),
})
