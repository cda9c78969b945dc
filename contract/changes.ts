import * as z from 'zod/mini'
import { Channel } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, numeral } from './ids.ts'
import { limits } from './limits.ts'
import { Message } from './messages.ts'

/** What changed in a channel after a revision: the messages that did, and the channel itself if it did. */
const Changed = z.object({ rev: z.int(), messages: z.array(Message), channel: z.optional(Channel) })
/** Too many changes, or the revision is of another database: reload the channel. */
const Reload = z.object({ rev: z.int(), reload: z.literal(true) })
export const Changes = z.union([Reload, Changed])
export type Changes = z.output<typeof Changes>

export const listChanges = endpoint({
  method: 'GET',
  path: '/api/channels/:channelId/changes',
  summary: 'The changes of a channel after a revision.',
  params: z.object({ channelId: Id }),
  query: z.object({ after: numeral(0) }),
  reply: Changes,
})

export const sync = endpoint({
  method: 'POST',
  path: '/api/sync',
  summary: 'After a reconnection: the changes of each channel I hold. Unchanged channels are left out.',
  body: z.object({
    epoch: z.string(),
    revs: z
      .record(Id, z.int().check(z.gte(0)))
      .check(
        z.refine(
          (revs) => Object.keys(revs).length <= limits.syncedChannels,
          fieldProblem('errors.tooManyChannelsHeld', { max: limits.syncedChannels }),
        ),
      ),
  }),
  reply: z.object({
    /** If it differs from the one sent, everything cached belongs to another database. */
    epoch: z.string(),
    channels: z.record(Id, Changes),
    /** Channels I can no longer read. */
    gone: z.array(Id),
  }),
})
