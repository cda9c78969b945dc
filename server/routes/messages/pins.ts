import type { FastifyInstance } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { listPins, pinMessage, unpinMessage } from '#contract/pins'
import { memberMessage, readableChannel } from '../../access/access.ts'
import type { DB } from '../../db/schema.ts'
import { conflict } from '../../errors.ts'
import { requireVoice } from '../../messages/may-post.ts'
import { type MessageRow, presentMessage, presentMessages, selectMessages } from '../../messages/message-rows.ts'
import { lockMessage, updateMessage } from '../../messages/update-message.ts'
import { channelRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

export default async function pins(app: FastifyInstance) {
  const { db, doors, people, publish, writer } = app

  route(app, listPins, async ({ params: { channelId }, me }) => {
    const { peopleVersion } = await readableChannel(doors, me, channelId)
    const pinned = await selectPinned(db, channelId).orderBy('pinnedAt', 'desc').orderBy('id').execute()
    const messages = await presentMessages(people, pinned, peopleVersion)
    // Checked after the read: a removed user must not see what was pinned after the removal.
    await readableChannel(doors, me, channelId)
    return messages
  })

  route(app, pinMessage, ({ params, me }) =>
    change(me, params.messageId, async (tx, message) => {
      if (message.deletedAt) throw conflict('deleted', 'errors.messageDeleted')
      if (message.pinnedAt) return undefined
      const others = await selectPinned(tx, message.channelId).clearSelect().select('messages.id').execute()
      if (others.length >= limits.pins)
        throw conflict('too_many_pins', problem('errors.tooManyPins', { max: limits.pins }))
      return { pinnedAt: sql`clock_timestamp()`, pinnedBy: me }
    }),
  )

  route(app, unpinMessage, ({ params, me }) =>
    change(me, params.messageId, async (_, { pinnedAt }) =>
      pinnedAt ? { pinnedAt: null, pinnedBy: null } : undefined,
    ),
  )

  type Decision = { pinnedAt: unknown; pinnedBy: string | null } | undefined

  /** Pins or unpins a message. If `decide` returns no columns, the revision stays and nothing is published. */
  async function change(
    me: string,
    messageId: string,
    decide: (tx: Transaction<DB>, message: MessageRow) => Promise<Decision>,
  ) {
    const { channel } = await memberMessage(app, me, messageId)
    const { message } = await writer.change(
      channel.id,
      async (tx) => {
        const { message } = await lockMessage(tx, me, channel.id, messageId)
        // Everyone sees a pin, as they see a message.
        await requireVoice(tx, me, channel.id, 'post')
        const columns = await decide(tx, message)
        if (!columns) return { message, isChanged: false }
        return { message: await updateMessage(tx, message, columns), isChanged: true }
      },
      async ({ message, isChanged }) => {
        if (isChanged) publish(channelRoom(channel.id), 'message:updated', await presentMessage(people, message))
      },
    )
    return presentMessage(people, message)
  }
}

/** At most `limits.pins`. A message that a node of the previous version deleted is still marked. */
const selectPinned = (db: Kysely<DB> | Transaction<DB>, channelId: string) =>
  selectMessages(db)
    .where('messages.channelId', '=', channelId)
    .where('messages.pinnedAt', 'is not', null)
    .where('messages.deletedAt', 'is', null)
