import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { can } from '#contract/can'
import { problem } from '#contract/errors'
import { ASSISTANT } from '#contract/ids'
import { countAudience, inviteToChannel, joinChannel, leaveChannel, listMembers, removeMember } from '#contract/members'
import { memberChannel, readableChannel } from '../../access/access.ts'
import { actAs, sourceOf } from '../../audit/write-audit.ts'
import { presentChannel } from '../../channels/channel-rows.ts'
import {
  addMember,
  endMembership,
  isMember,
  lockActiveUsers,
  publishMemberJoined,
  publishMemberLeft,
  requireKnown,
} from '../../channels/memberships.ts'
import { lockChannel } from '../../channels/revision.ts'
import { readPage } from '../../db/read-page.ts'
import { alreadyMember, archived, everyoneStays, forbidden, invalid, notFound, ownerCannotLeave } from '../../errors.ts'
import { isHere } from '../../people/availability.ts'
import { selectProfiles, withStatus } from '../../people/profiles.ts'
import { route } from '../../route.ts'
import { containsPattern } from '../../text/like-pattern.ts'

export default async function members(app: FastifyInstance) {
  const { db, doors, presence, writer } = app

  route(app, listMembers, async ({ params, query: { query, ...page }, me }) => {
    let inChannel = selectProfiles(db)
      .innerJoin('memberships', 'memberships.userId', 'users.id')
      .where('memberships.channelId', '=', params.channelId)
    if (query) {
      const like = containsPattern(query)
      inChannel = inChannel.where((row) => row.or([row('username', 'ilike', like), row('users.name', 'ilike', like)]))
    }
    const { rows, pagination } = await readPage(inChannel.orderBy('username'), page)
    // Checked last: a user who was removed during the read must not see later members.
    await readableChannel(doors, me, params.channelId)
    return {
      members: rows.map((row) => withStatus(presence, row)),
      pagination,
    }
  })

  route(app, countAudience, async ({ params, me }) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    const present = sql<number>`count(*) filter (where ${isHere(presence.active())})`
    const { people, here } = await db
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.userId')
      .select([sql<number>`count(*)`.as('people'), present.as('here')])
      .where('channelId', '=', id)
      .where('userId', '<>', me)
      .where('deactivatedAt', 'is', null)
      .executeTakeFirstOrThrow()
    return { people, away: people - here }
  })

  route(app, joinChannel, async ({ params, me }) => {
    const channel = await readableChannel(doors, me, params.channelId)
    if (channel.isMember) throw alreadyMember('errors.youAreMember')
    if (channel.archivedAt) throw archived()
    if (!can.join(channel.viewer, channel)) throw forbidden()
    const joined = await writer.change(
      channel.id,
      async (tx) => {
        // It may have become private or archived since.
        const locked = await lockChannel(tx, channel.id)
        if (locked.archivedAt && locked.kind === 'public') throw archived()
        if (!can.join(channel.viewer, locked)) throw notFound('errors.channelNotFound')
        return addMember(tx, channel.id, me)
      },
      (done) => publishMemberJoined(app, channel.id, me, done),
    )
    if (!joined) throw alreadyMember('errors.youAreMember')
    return presentChannel(app, me, channel.id)
  })

  route(app, leaveChannel, async ({ params, me }) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    await writer.change(
      id,
      async (tx) => {
        const channel = await lockChannel(tx, id)
        if (channel.isGeneral) throw everyoneStays('errors.nobodyLeaves')
        if (channel.ownerId === me) throw ownerCannotLeave()
        if (!can.leave({ id: me }, channel)) throw forbidden()
        return endMembership(tx, id, me)
      },
      (left) => publishMemberLeft(app, id, me, left),
    )
    return undefined
  })

  route(app, inviteToChannel, async ({ params, body: { userId }, me, request }) => {
    const channel = await memberChannel(doors, me, params.channelId)
    if (channel.archivedAt) throw archived()
    if (!can.inviteTo(channel.viewer, channel)) throw forbidden()
    if (userId === ASSISTANT) throw alreadyMember('errors.assistantIsMember')
    const joined = await writer.change(
      channel.id,
      async (tx) => {
        await actAs(tx, me, sourceOf(request))
        const { archivedAt } = await lockChannel(tx, channel.id)
        if (!(await isMember(tx, channel.id, me))) throw notFound('errors.channelNotFound')
        if (archivedAt) throw archived()
        await requireKnown(tx, me, [userId])
        if (!(await lockActiveUsers(tx, [userId])).has(userId)) throw notFound('errors.userNotFound')
        return addMember(tx, channel.id, userId)
      },
      (done) => publishMemberJoined(app, channel.id, userId, done),
    )
    if (!joined) throw alreadyMember('errors.theyAreMember')
    return presentChannel(app, me, channel.id)
  })

  route(app, removeMember, async ({ params, body: { userId }, me, request }) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    await writer.change(
      id,
      async (tx) => {
        await actAs(tx, me, sourceOf(request))
        const channel = await lockChannel(tx, id)
        if (channel.ownerId === me && userId === me)
          throw invalid('errors.ownerNotRemovable', { userId: problem('errors.isYou') })
        if (!can.removeMember({ id: me }, channel, userId)) throw forbidden()
        const left = await endMembership(tx, id, userId)
        if (!left) throw notFound('errors.memberNotFound')
        return left
      },
      (left) => publishMemberLeft(app, id, userId, left),
    )
    return presentChannel(app, me, id)
  })
}
