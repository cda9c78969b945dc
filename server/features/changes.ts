import type { FastifyInstance } from 'fastify'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { LRUCache } from 'lru-cache'
import { type Changes, listChanges, sync } from '#contract/changes'
import { limits } from '#contract/limits'
import { type OpenChannel, readableChannel } from '../access.ts'
import { presentChannel } from '../channel-rows.ts'
import { AppError } from '../errors.ts'
import { type MessageRow, present, selectMessages } from '../message-rows.ts'
import { route } from '../route.ts'
import { readEpoch } from '../workspace.ts'

/** Channels read at once for one person: the pool is for all. */
const AT_ONCE = 4
/** Answers that are kept: after a restart thousands ask for the same within seconds. */
const KEPT = 1000

/** What changed, and at which revision the channel itself did last. */
type Read = Changes & { selfRev: number }

/** What somebody missed: the answer to every gap, from any node, however long they were away. */
export default async function changes(app: FastifyInstance) {
  const { db, doors, people } = app
  const kept = new LRUCache<string, Promise<Read>>({ max: KEPT })

  route(app, listChanges, async ({ params, query }, me) => {
    const channel = await readableChannel(doors, me, params.channelId)
    return changesAfter(me, channel, query.after, limits.changes.one)
  })

  route(app, sync, async ({ body }, me) => {
    const epoch = await readEpoch(db)
    if (body.epoch !== epoch) return { epoch, channels: {}, gone: [] }
    const known = Object.entries(body.revs)
    // The doors of one moment are one query.
    const doorsOf = await Promise.all(known.map(([channelId]) => open(me, channelId)))
    const gone = known.filter((_, i) => !doorsOf[i]).map(([channelId]) => channelId)
    const moved = known.flatMap(([, after], i) => {
      const channel = doorsOf[i]
      return channel && channel.rev !== after ? [{ channel, after }] : []
    })
    const channels: Record<string, Changes> = {}
    for (let i = 0; i < moved.length; i += AT_ONCE) {
      const some = moved.slice(i, i + AT_ONCE)
      const changed = await Promise.all(
        some.map(({ channel, after }) => changesAfter(me, channel, after, limits.changes.each)),
      )
      for (const [j, { channel }] of some.entries()) channels[channel.id] = changed[j] as Changes
    }
    return { epoch, channels, gone }
  })

  /** The channel, or undefined where its door is closed. */
  const open = (me: string, channelId: string) =>
    readableChannel(doors, me, channelId).catch((error) => {
      if (error instanceof AppError && error.status === 404) return undefined
      throw error
    })

  async function changesAfter(
    me: string,
    { id, ...stand }: OpenChannel,
    after: number,
    most: number,
  ): Promise<Changes> {
    // The same for every reader; under the numbers of the door it is as fresh as the door is.
    const key = [id, stand.epoch, stand.rev, stand.peopleVersion, after, most].join(' ')
    let reading = kept.get(key)
    if (!reading) {
      reading = readChanges(id, after, most)
      kept.set(key, reading)
      reading.catch(() => kept.delete(key))
    }
    const { selfRev, ...changes } = await reading
    if ('reload' in changes || selfRev <= after) return changes
    return { ...changes, channel: await presentChannel(app, me, id) }
  }

  /** Numbers and rows come from one statement, so that nothing falls between them. */
  async function readChanges(channelId: string, after: number, most: number): Promise<Read> {
    const changed = selectMessages(db).where('messages.channelId', '=', channelId).where('messages.rev', '>', after)
    const { rev, selfRev, peopleVersion, messages } = await db
      .selectFrom('channels')
      .innerJoin('workspace', (join) => join.onTrue())
      .where('channels.id', '=', channelId)
      .select(['channels.rev', 'channels.selfRev', 'workspace.peopleVersion'])
      .select(jsonArrayFrom(changed.orderBy('messages.rev').limit(most + 1)).as('messages'))
      .executeTakeFirstOrThrow()
    if (after > rev || messages.length > most) return { rev, selfRev, reload: true }
    return { rev, selfRev, messages: await present(people, messages as MessageRow[], peopleVersion) }
  }
}
