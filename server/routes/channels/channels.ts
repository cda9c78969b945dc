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
import { memberChannel } from '../../access/access.ts'
import { actAs, sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { createListReader } from '../../channels/channel-list.ts'
import { presentChannel, presentChannels, readChannelStates } from '../../channels/channel-rows.ts'
import { countNewChannel } from '../../channels/count-new-channel.ts'
import { findOrCreateDirectMessage } from '../../channels/direct-messages.ts'
import { isActiveMember, lockActiveUsers, requireKnown } from '../../channels/memberships.ts'
import { removeChannel } from '../../channels/remove-channel.ts'
import { lockChannel } from '../../channels/revision.ts'
import { publishChannel, readChannelWithoutViewer, updateLockedChannel } from '../../channels/update-channel.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import {
  archived,
  conflict,
  everyoneStays,
  forbidden,
  invalid,
  invalidField,
  muted,
  notFound,
  unauthenticated,
} from '../../errors.ts'
import { readPerson } from '../../people/profiles.ts'
import { everyone, userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'
import { evictNonMembers, readRoomAccess } from '../../sockets/sync-rooms.ts'
import { looksReserved } from '../../text/lookalike-names.ts'

export default async function channels(app: FastifyInstance) {
  const { db, doors, publish, memberSockets, realtime, writer } = app

  const readList = createListReader(app)
  route(app, listChannels, async ({ query, me }) => {
    const { shared, direct, ...rest } = await readList(me, query)
    return {
      channels: await presentChannels(app, shared),
      directMessages: await presentChannels(app, direct),
      ...rest,
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

  route(app, getChannel, ({ params, me }) => presentChannel(app, me, params.channelId))

  route(app, createChannel, async ({ body, me, request, reply }) => {
    const others = [...new Set(body.members)].filter((id) => id !== me)
    if (isDirectName(body.name)) {
      if (!body.isPrivate || others.length !== 1) throw reserved()
      const direct = await findOrCreateDirectMessage(app, me, others)
      if (!direct.isNew) reply.status(200)
      return presentChannel(app, me, direct.id)
    }
    refuseLookAlike(body.name)
    const person = await readPerson(db, me)
    if (!can.createChannel(person, body.isPrivate)) throw forbidden()
    // The assistant answers in every channel without being a member.
    const members = others.filter((id) => id !== ASSISTANT)
    const id = newId()
    const memberIds = [me, ...members]
    await writer
      .change(
        id,
        async (tx) => {
          await actAs(tx, me, sourceOf(request))
          await requireUnmuted(tx, me)
          await requireKnown(tx, me, members)
          // No limit for people who set up a workspace.
          if (!can.manageWorkspace(person)) await countNewChannel(app.config, tx, me, 'channels')
          return create(tx, id, body, memberIds)
        },
        (channel) => {
          memberSockets.join(id, memberIds, 1)
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

  route(app, updateChannel, async ({ params, body, me, request }) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    if (body.name !== undefined) refuseLookAlike(body.name)
    const update = async (tx: Transaction<DB>) => {
      await actAs(tx, me, sourceOf(request))
      const before = await lockChannel(tx, id)
      if (before.archivedAt && before.ownerId === me) throw archived()
      if (!can.editChannel({ id: me }, before)) throw forbidden()
      if (body.name !== undefined || body.topic !== undefined) await requireUnmuted(tx, me)
      // Changing a channel's kind needs the permission to create such a channel.
      if (body.isPrivate !== undefined && body.isPrivate !== (before.kind !== 'public'))
        if (!can.createChannel(await readPerson(tx, me), body.isPrivate)) throw forbidden()
      const channel = await updateLockedChannel(app, tx, id, await changedColumns(tx, before, body))
      const { posting, areRepliesOpen, broadcasting } = channel
      if ([body.posting, body.areRepliesOpen, body.broadcasting].some((rule) => rule !== undefined))
        await writeAudit(tx, {
          kind: 'channel_rules_changed',
          actorId: me,
          channel,
          details: { posting, areRepliesOpen, broadcasting },
          ...sourceOf(request),
        })
      const becomesPrivate = before.kind === 'public' && channel.isPrivate
      return { channel, access: becomesPrivate ? await readRoomAccess(realtime, tx, id) : undefined }
    }
    await writer
      .change(id, update, ({ channel, access }) => {
        if (access) {
          evictNonMembers(realtime, access)
          memberSockets.becamePrivate(id)
        }
        publishChannel(app, channel)
      })
      .catch(throwNameTaken)
    return presentChannel(app, me, id)
  })

  route(app, deleteChannel, async ({ params, me, request }) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    await removeChannel(app, id, async (tx) => {
      await actAs(tx, me, sourceOf(request))
      if (!can.deleteChannel({ id: me }, await lockChannel(tx, id))) throw forbidden()
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
  {
    name,
    topic,
    isPrivate,
    ownerId,
    posting,
    areRepliesOpen,
    broadcasting,
    linkPreviews,
  }: InputOf<typeof updateChannel>['body'],
) {
  if (isGeneral && (isPrivate || ownerId !== undefined)) throw everyoneStays('errors.generalStays')
  if (ownerId !== undefined && !(await isActiveMember(tx, id, ownerId)))
    throw invalid('errors.newOwnerNotMember', { ownerId: problem('errors.mustBeActiveMember') })
  return {
    ...(name !== undefined && { name }),
    ...(topic !== undefined && { topic }),
    ...(isPrivate !== undefined && { kind: isPrivate ? 'private' : 'public' }),
    ...(ownerId !== undefined && { ownerId }),
    ...(posting !== undefined && { posting }),
    ...(areRepliesOpen !== undefined && { areRepliesOpen }),
    ...(broadcasting !== undefined && { broadcasting }),
    ...(linkPreviews !== undefined && { linkPreviews }),
  }
}

/** The name and topic of a channel can say as much as a message. @throws AppError 403 */
async function requireUnmuted(tx: Transaction<DB>, me: string) {
  const person = tx.selectFrom('users').select('id').where('id', '=', me)
  if (await person.where('mutedUntil', '>', sql<string>`clock_timestamp()`).executeTakeFirst()) throw muted()
}

const reserved = () => invalidField('name', 'errors.reserved')

function refuseLookAlike(name: string) {
  if (looksReserved(name)) throw reserved()
}

/** Reported even if a private channel has the name (docs/decisions/0017-front-door.md). */
function throwNameTaken(error: { constraint?: string }): never {
  if (error.constraint === 'channels_liveName') throw conflict('name_taken', 'errors.channelNameTaken')
  throw error
}
