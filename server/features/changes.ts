import type { FastifyInstance } from 'fastify'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Changes, listChanges, sync } from '#contract/changes'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { readableChannel } from '../access.ts'
import { selectChannels } from '../channel-rows.ts'
import { AppError } from '../errors.ts'
import { type MessageRow, selectMessages, withAuthors } from '../message-rows.ts'
import { route } from '../route.ts'
import { readEpoch } from '../workspace.ts'

/** What somebody missed: the answer to every gap, from any node, however long they were away. */
export default async function changes(app: FastifyInstance) {
  const { db, doors, people } = app

  route(app, listChanges, async ({ params, query }, me) => {
    const { id } = await readableChannel(doors, me, params.channelId)
    return changesAfter(me, id, query.after, limits.changes.one)
  })

  route(app, sync, async ({ body }, me) => {
    const epoch = await readEpoch(db)
    const channels: Record<string, Changes> = {}
    const gone: string[] = []
    if (body.epoch !== epoch) return { epoch, channels, gone }
    for (const [channelId, known] of Object.entries(body.revs)) {
      try {
        const { rev } = await readableChannel(doors, me, channelId)
        if (rev !== known) channels[channelId] = await changesAfter(me, channelId, known, limits.changes.each)
      } catch (error) {
        if (!(error instanceof AppError && error.status === 404)) throw error
        gone.push(channelId)
      }
    }
    return { epoch, channels, gone }
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
    const channel: Channel | undefined =
      selfRev > after ? await selectChannels(db, me).where('channels.id', '=', channelId).executeTakeFirst() : undefined
    return {
      rev,
      messages: await withAuthors(people, messages as MessageRow[], peopleVersion),
      ...(channel && { channel }),
    }
  }
}
