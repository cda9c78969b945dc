import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { PUBLIC_FILES } from '#contract/channel-name'
import { createChannel, getChannel, joinChannel, listChannels } from '#contract/channels'
import { readableChannel } from '../access.ts'
import { selectChannels } from '../channel-rows.ts'
import { AppError, conflict } from '../errors.ts'
import { newId } from '../ids.ts'
import { addMember, announceMember } from '../memberships.ts'
import { channelRoom, everyone, userRoom } from '../realtime.ts'
import { route } from '../route.ts'

export default async function channels(app: FastifyInstance) {
  const { db, doors, io, publish, writer } = app

  route(app, listChannels, async ({ query: { page, limit } }, me) => {
    const rows = await selectChannels(db, me)
      .where((row) => row.or([row('kind', '=', 'public'), row('memberships.userId', 'is not', null)]))
      .where('kind', '<>', 'direct')
      .where('name', '<>', PUBLIC_FILES)
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .limit(limit + 1)
      .offset((page - 1) * limit)
      .execute()
    return { channels: rows.slice(0, limit), pagination: { page, limit, hasMore: rows.length > limit } }
  })

  route(app, getChannel, async ({ params }, me) => {
    const { id } = await readableChannel(doors, me, params.channelId)
    return selectChannels(db, me).where('channels.id', '=', id).executeTakeFirstOrThrow()
  })

  route(app, createChannel, async ({ body }, me) => {
    const id = newId()
    await db
      .transaction()
      .execute(async (tx) => {
        await tx
          .insertInto('channels')
          .values({
            id,
            name: body.name,
            kind: body.isPrivate ? 'private' : 'public',
            ownerId: me,
            memberCount: 1,
            rev: 1,
            selfRev: 1,
          })
          .execute()
        await tx.insertInto('memberships').values({ channelId: id, userId: me }).execute()
      })
      .catch((error) => {
        if (error.constraint === 'channels_liveName')
          throw conflict('name_taken', 'A channel with this name exists already')
        throw error
      })
    const channel = await selectChannels(db, me).where('channels.id', '=', id).executeTakeFirstOrThrow()
    io.in(userRoom(me)).socketsJoin(channelRoom(id))
    publish(channel.isPrivate ? userRoom(me) : everyone, 'channel:created', channel)
    return channel
  })

  route(app, joinChannel, async ({ params }, me) => {
    const { id, isMember } = await readableChannel(doors, me, params.channelId)
    const joined =
      !isMember &&
      (await writer.change(
        id,
        (tx) => addMember(tx, id, me),
        (done) => announceMember(app, id, me, done),
      ))
    if (!joined) throw new AppError(400, 'already_member', 'You are in this channel already')
    return selectChannels(db, me).where('channels.id', '=', id).executeTakeFirstOrThrow()
  })
}
