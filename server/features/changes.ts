import type { FastifyInstance } from 'fastify'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Changes, listChanges, sync } from '#contract/changes'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { readableChannel } from '../access.ts'
import { presentChannel } from '../channel-rows.ts'
import { AppError } from '../errors.ts'
import { type MessageRow, present, selectMessages } from '../message-rows.ts'
import { route } from '../route.ts'
import { readEpoch } from '../workspace.ts'

/** Channels read at once for one person: the pool is for all. */
const AT_ONCE = 4

/** What somebody missed: the answer to every gap, from any node, however long they were away. */
export default async function changes(app: FastifyInstance) {
  const { db, doors, people } = app

  route(app, listChanges, async ({ params, query }, me) => {
    const { id } = await readableChannel(doors, me, params.channelId)
    return changesAfter(me, id, query.after, limits.changes.one)
  })

  route(app, sync, async ({ body }, me) => {
    const epoch = await readEpoch(db)
    if (body.epoch !== epoch) return { epoch, channels: {}, gone: [] }
    const known = Object.entries(body.revs)
    // The doors of one moment are one query.
    const doorsOf = await Promise.all(known.map(([channelId]) => open(me, channelId)))
    const gone = known.filter((_, i) => !doorsOf[i]).map(([channelId]) => channelId)
    const moved = known.filter(([, rev], i) => doorsOf[i] && doorsOf[i].rev !== rev)
    const channels: Record<string, Changes> = {}
    for (let i = 0; i < moved.length; i += AT_ONCE) {
      const some = moved.slice(i, i + AT_ONCE)
      const changed = await Promise.all(some.map(([id, rev]) => changesAfter(me, id, rev, limits.changes.each)))
      for (const [j, [channelId]] of some.entries()) channels[channelId] = changed[j] as Changes
    }
    return { epoch, channels, gone }
  })

  /** The channel, or undefined where its door is closed. */
  const open = (me: string, channelId: string) =>
    readableChannel(doors, me, channelId).catch((error) => {
      if (error instanceof AppError && error.status === 404) return undefined
      throw error
    })

  /** Numbers and rows come from one statement, so that nothing falls between them. */
  async function changesAfter(me: string, channelId: string, after: number, most: number): Promise<Changes> {
    const changed = selectMessages(db).where('messages.channelId', '=', channelId).where('messages.rev', '>', after)
    const { rev, selfRev, peopleVersion, messages } = await db
      .selectFrom('channels')
      .innerJoin('workspace', (join) => join.onTrue())
      .where('channels.id', '=', channelId)
      .select(['channels.rev', 'channels.selfRev', 'workspace.peopleVersion'])
      .select(jsonArrayFrom(changed.orderBy('messages.rev').limit(most + 1)).as('messages'))
      .executeTakeFirstOrThrow()
    if (after > rev || messages.length > most) return { rev, reload: true }
    const channel: Channel | undefined = selfRev > after ? await presentChannel(app, me, channelId) : undefined
    return {
      rev,
      messages: await present(people, messages as MessageRow[], peopleVersion),
      ...(channel && { channel }),
    }
  }
}
