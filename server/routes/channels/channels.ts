import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { isDirectName, PUBLIC_FILES } from '#contract/channel-name'
import {
  compareChannels,
  createChannel,
  deleteChannel,
  getChannel,
  getPublicBucket,
  listChannels,
  openDirectMessage,
  updateChannel,
} from '#contract/channels'
import type { InputOf } from '#contract/endpoint'
import { problem } from '#contract/errors'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { memberChannel, readableChannel } from '../../access/access.ts'
import { isReadable } from '../../access/readable-channels.ts'
import { presentChannel, presentChannels, readChannelStates, selectChannels } from '../../channels/channel-rows.ts'
import { findOrCreateDirectMessage } from '../../channels/direct-messages.ts'
import { isActiveMember, lockActiveUsers } from '../../channels/memberships.ts'
import { bumpRev, lockChannel } from '../../channels/revision.ts'
import { publishChannel, readChannelWithoutViewer, updateLockedChannel } from '../../channels/update-channel.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, everyoneStays, forbidden, invalid, invalidField, notFound, unauthenticated } from '../../errors.ts'
import { audienceOf, everyone, userRoom } from '../../realtime.ts'
import { route } from '../../route.ts'
import { evictNonMembers, readRoomAccess } from '../../sockets/room-membership.ts'
import { looksReserved } from '../../text/lookalike-names.ts'

export default async function channels(app: FastifyInstance) {
  const { db, doors, publish, roomMembers, writer } = app

  route(app, listChannels, async ({ query: { page, limit }, me }) => {
    const all = selectChannels(db, me)
    const byName = sql`lower(channels.name)`
    // Ids first, because the other columns would be read for all rows that the offset skips too.
    const ids = all
      .clearSelect()
      .select(['channels.id', sql<number>`count(*) over()`.as('total')])
      .limit(limit + 1)
      .offset((page - 1) * limit)
    const sharedIds = ids
      .where(isReadable())
      .where('kind', '<>', 'direct')
      .where('channels.name', '<>', PUBLIC_FILES)
      .orderBy(byName)
      .orderBy('channels.id')
    const directIds = ids
      .where('kind', '=', 'direct')
      .where('memberships.userId', 'is not', null)
      .orderBy('channels.id', 'desc')
    // Read before the names, so that it is never newer than they are.
    const { epoch, peopleVersion } = await db
      .selectFrom('workspace')
      .select(['epoch', 'peopleVersion'])
      .executeTakeFirstOrThrow()
    const on = (page: typeof ids) =>
      all
        .innerJoin(page.as('page'), 'page.id', 'channels.id')
        .select('page.total')
        .orderBy(byName)
        .orderBy('channels.id')
    const [shared, direct] = await Promise.all([
      on(sharedIds).execute(),
      on(directIds).clearOrderBy().orderBy('channels.id', 'desc').execute(),
    ])
    const total = Math.max(shared[0]?.total ?? 0, direct[0]?.total ?? 0)
    return {
      channels: await presentChannels(app, shared.slice(0, limit)),
      directMessages: await presentChannels(app, direct.slice(0, limit)),
      pagination: { page, limit, hasMore: shared.length > limit || direct.length > limit, total },
      epoch,
      peopleVersion,
    }
  })

  route(app, compareChannels, async ({ body: { held }, me }) => {
    const states = await readChannelStates(app, me)
    return {
      moved: [...states].filter(([id, state]) => held[id] !== state).map(([id]) => id),
      gone: Object.keys(held).filter((id) => !states.has(id)),
    }
  })

  route(app, getPublicBucket, () =>
    db.selectFrom('channels').select('id').where('name', '=', PUBLIC_FILES).executeTakeFirstOrThrow(),
  )

  route(app, getChannel, async ({ params, me }) => {
    const channel = await presentChannel(app, me, params.channelId)
    // Checked last: a user who was removed meanwhile must not see later changes.
    await readableChannel(doors, me, channel.id)
    return channel
  })

  route(app, createChannel, async ({ body, me, reply }) => {
    const others = [...new Set(body.members)].filter((id) => id !== me)
    if (isDirectName(body.name)) {
      if (!body.isPrivate || others.length !== 1) throw reserved()
      const direct = await findOrCreateDirectMessage(app, me, others)
      if (!direct.isNew) reply.status(200)
      return presentChannel(app, me, direct.id)
    }
    refuseLookAlike(body.name)
    // The assistant answers in every channel without being a member.
    const members = others.filter((id) => id !== ASSISTANT)
    const id = newId()
    const memberIds = [me, ...members]
    await writer
      .change(
        id,
        (tx) => create(tx, id, body, memberIds),
        (channel) => {
          roomMembers.join(id, memberIds, 1)
          publish(channel.isPrivate ? memberIds.map(userRoom) : everyone, 'channel:created', { ...channel, memberIds })
        },
      )
      .catch(throwNameTaken)
    return presentChannel(app, me, id)
  })

  route(app, openDirectMessage, async ({ body, me, reply }) => {
    const others = [...new Set(body.userIds)].filter((id) => id !== me)
    if (others.length === 0) throw invalid('errors.onlyYou', { userIds: problem('errors.mustNameSomeoneElse') })
    if (others.length > limits.directOthers)
      throw invalid(problem('errors.tooManyPeople', { max: limits.directOthers + 1 }), {
        userIds: problem('errors.mustNameFewerOthers', { max: limits.directOthers }),
      })
    const { id, isNew } = await findOrCreateDirectMessage(app, me, others)
    if (isNew) reply.status(201)
    return presentChannel(app, me, id)
  })

  route(app, updateChannel, async ({ params, body, me }) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    if (body.name !== undefined) refuseLookAlike(body.name)
    const update = async (tx: Transaction<DB>) => {
      const before = await lockChannel(tx, id)
      if (!can.editChannel({ id: me }, before)) throw forbidden()
      const channel = await updateLockedChannel(app, tx, id, await changedColumns(tx, before, body))
      const becomesPrivate = before.kind === 'public' && channel.isPrivate
      return { channel, access: becomesPrivate ? await readRoomAccess(app, tx, id) : undefined }
    }
    await writer
      .change(id, update, ({ channel, access }) => {
        if (access) {
          evictNonMembers(app, access)
          roomMembers.becamePrivate(id)
        }
        publishChannel(app, channel)
      })
      .catch(throwNameTaken)
    return presentChannel(app, me, id)
  })

  route(app, deleteChannel, async ({ params, me }) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    const remove = async (tx: Transaction<DB>) => {
      const channel = await lockChannel(tx, id)
      if (!can.deleteChannel({ id: me }, channel)) throw forbidden()
      const members = tx.selectFrom('memberships').select('userId').where('channelId', '=', id)
      const first = await members.limit(limits.firstMembers).execute()
      await bumpRev(tx, id, { deletedAt: sql`clock_timestamp()` })
      return { kind: channel.kind, memberIds: first.map(({ userId }) => userId) }
    }
    await writer.change(id, remove, ({ kind, memberIds }) => {
      publish(audienceOf(id, kind === 'public'), 'channel:deleted', { channelId: id, memberIds })
      roomMembers.close(id)
    })
    return undefined
  })

  /** Creates a channel. The first member becomes its owner. */
  async function create(
    tx: Transaction<DB>,
    id: string,
    { name, isPrivate }: InputOf<typeof createChannel>['body'],
    memberIds: string[],
  ) {
    const [ownerId, ...others] = memberIds as [string, ...string[]]
    const active = await lockActiveUsers(tx, memberIds)
    if (!active.has(ownerId)) throw unauthenticated()
    if (active.size < memberIds.length) throw notFound('errors.userNotFound')
    const kind = isPrivate ? 'private' : 'public'
    const memberCount = others.length + 1
    await tx.insertInto('channels').values({ id, name, kind, ownerId, memberCount, rev: 1, selfRev: 1 }).execute()
    await tx
      .insertInto('memberships')
      .values(memberIds.map((userId) => ({ channelId: id, userId })))
      .execute()
    return readChannelWithoutViewer(app, tx, id)
  }
}

/** Validates the owner's changes and returns the changed columns. */
async function changedColumns(
  tx: Transaction<DB>,
  { id, isGeneral }: { id: string; isGeneral: boolean },
  { name, topic, isPrivate, ownerId }: InputOf<typeof updateChannel>['body'],
) {
  if (isGeneral && (isPrivate || ownerId !== undefined)) throw everyoneStays('errors.generalStays')
  if (ownerId !== undefined && !(await isActiveMember(tx, id, ownerId)))
    throw invalid('errors.newOwnerNotMember', { ownerId: problem('errors.mustBeActiveMember') })
  return {
    ...(name !== undefined && { name }),
    ...(topic !== undefined && { topic }),
    ...(isPrivate !== undefined && { kind: isPrivate ? 'private' : 'public' }),
    ...(ownerId !== undefined && { ownerId }),
  }
}

const reserved = () => invalidField('name', 'errors.reserved')

function refuseLookAlike(name: string) {
  if (looksReserved(name)) throw reserved()
}

/** Also if a private channel has the name (docs/decisions/0017-front-door.md). */
function throwNameTaken(error: { constraint?: string }): never {
  if (error.constraint === 'channels_liveName') throw conflict('name_taken', 'errors.channelNameTaken')
  throw error
}
