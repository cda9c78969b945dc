import type { FastifyInstance } from 'fastify'
import type { Transaction, UpdateObject } from 'kysely'
import type { Channel } from '#contract/channels'
import { presentChannels, selectChannels } from './channel-rows.ts'
import type { DB } from './db/schema.ts'
import { channelRoom, everyone } from './realtime.ts'
import { lockChannel, moveRev } from './rev.ts'

/** Changes a locked channel itself, under its next revision, and answers it as it is then. */
export async function rewriteChannel(
  app: FastifyInstance,
  tx: Transaction<DB>,
  channelId: string,
  to: UpdateObject<DB, 'channels'>,
): Promise<Channel> {
  await moveRev(tx, channelId, to)
  // What is some person's own does not leave with the event.
  const row = await selectChannels(tx, '').where('channels.id', '=', channelId).executeTakeFirstOrThrow()
  const [channel] = await presentChannels(app, [row])
  return channel as Channel
}

/** Everyone hears of a public channel, its members of another. */
export function tellChannel({ publish }: FastifyInstance, channel: Channel) {
  publish(channel.kind === 'public' ? everyone : channelRoom(channel.id), 'channel:updated', channel)
}

/** Gives the channels of one who was deactivated to those who have been in them longest. */
export async function handOverChannels(app: FastifyInstance, userId: string) {
  const owned = await app.db
    .selectFrom('channels')
    .select('id')
    .where('ownerId', '=', userId)
    .where('deletedAt', 'is', null)
    .execute()
  for (const { id } of owned)
    await app.writer.change(
      id,
      async (tx) => {
        if ((await lockChannel(tx, id)).ownerId !== userId) return undefined
        const heir = await tx
          .selectFrom('memberships')
          .innerJoin('users', 'users.id', 'memberships.userId')
          .where('channelId', '=', id)
          .where('deactivatedAt', 'is', null)
          .orderBy('joinedAt')
          .orderBy('userId')
          .select('userId')
          .executeTakeFirst()
        return heir && rewriteChannel(app, tx, id, { ownerId: heir.userId })
      },
      (channel) => channel && tellChannel(app, channel),
    )
}
