import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { createGroup, deleteGroup, getGroup, inviteGroup, listGroups, updateGroup } from '#contract/groups'
import { memberChannel } from '../../access/access.ts'
import { actAs, sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { presentChannel } from '../../channels/channel-rows.ts'
import { addMember, isMember, lockActiveUsers, publishMemberJoined } from '../../channels/memberships.ts'
import { lockChannel } from '../../channels/revision.ts'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { archived, forbidden, notFound, unauthenticated } from '../../errors.ts'
import { createGroupList } from '../../groups/group-list.ts'
import {
  changeGroup,
  insertGroup,
  lockGroups,
  refuseTakenName,
  requireUnmanaged,
  selectGroup,
} from '../../groups/groups.ts'
import { readPerson } from '../../people/profiles.ts'
import { type HandlerInput, route } from '../../route.ts'

/** Groups of people. Members see all of them, guests none. */
export default async function groups(app: FastifyInstance) {
  const { db, doors, pollSoon, writer } = app
  const readGroups = createGroupList(db)

  route(app, listGroups, async ({ me }) => {
    if (!can.seeEverybody(await readPerson(db, me))) return []
    return readGroups(me)
  })

  route(app, getGroup, async ({ params, me }) => {
    if (!can.seeEverybody(await readPerson(db, me))) throw notFound('errors.groupNotFound')
    return readGroup(db, me, params.groupId)
  })

  route(app, createGroup, async ({ body, me, request }) => {
    const { username, name, userIds, groupIds } = body
    return change(me, async (tx) => {
      const id = newId()
      await insertGroup(tx, id, { username, name })
      await changeGroup(tx, id, { userIds, groupIds })
      await writeAudit(tx, { kind: 'group_created', actorId: me, details: { group: username }, ...sourceOf(request) })
      return readGroup(tx, me, id)
    })
  })

  route(app, updateGroup, async ({ params, body, me, request }) =>
    change(me, async (tx) => {
      await requireUnmanaged(tx, params.groupId)
      await changeGroup(tx, params.groupId, body)
      const group = await readGroup(tx, me, params.groupId)
      const details = { group: group.username, people: group.peopleCount }
      await writeAudit(tx, { kind: 'group_changed', actorId: me, details, ...sourceOf(request) })
      return group
    }),
  )

  route(app, deleteGroup, async ({ params, me, request }) => {
    await change(me, async (tx) => {
      const { username } = await readGroup(tx, me, params.groupId)
      await requireUnmanaged(tx, params.groupId)
      await tx.deleteFrom('groups').where('id', '=', params.groupId).execute()
      await writeAudit(tx, { kind: 'group_deleted', actorId: me, details: { group: username }, ...sourceOf(request) })
    })
    return undefined
  })

  async function change<T>(me: string, run: (tx: Transaction<DB>) => Promise<T>): Promise<T> {
    const changed = await db
      .transaction()
      .execute(async (tx) => {
        await lockGroups(tx)
        if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
        if (!can.createGroups(await readPerson(tx, me))) throw forbidden()
        return run(tx)
      })
      .catch(refuseTakenName)
    // Every node notifies its clients.
    pollSoon()
    return changed
  }

  route(app, inviteGroup, async ({ params, body: { groupId }, me, request }: HandlerInput<typeof inviteGroup>) => {
    const channel = await memberChannel(doors, me, params.channelId)
    if (channel.archivedAt) throw archived()
    if (!can.inviteTo(channel.viewer, channel)) throw forbidden()
    if (!can.seeEverybody(channel.viewer)) throw notFound('errors.groupNotFound')
    await readGroup(db, me, groupId)
    for (const userId of await readMissing(channel.id, groupId))
      await writer.change(
        channel.id,
        async (tx) => {
          await actAs(tx, me, sourceOf(request))
          const { archivedAt } = await lockChannel(tx, channel.id)
          if (!(await isMember(tx, channel.id, me))) throw notFound('errors.channelNotFound')
          if (archivedAt) throw archived()
          // Deactivated since.
          if (!(await lockActiveUsers(tx, [userId])).has(userId)) return undefined
          return addMember(tx, channel.id, userId)
        },
        (joined) => joined && publishMemberJoined(app, channel.id, userId, joined),
      )
    return presentChannel(app, me, channel.id)
  })

  /** The active people of a group who are not in a channel. */
  async function readMissing(channelId: string, groupId: string) {
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where('deactivatedAt', 'is', null)
      .where(sql<boolean>`id in (select people_of_group(${groupId}::uuid))`)
      .where(sql<boolean>`not exists (
        select from memberships m where m."channelId" = ${channelId}::uuid and m."userId" = users.id)`)
      .orderBy('username')
      .execute()
    return rows.map(({ id }) => id)
  }
}

/** @throws AppError 404 */
async function readGroup(db: Db | Transaction<DB>, me: string, groupId: string) {
  const group = await selectGroup(db, me, groupId).executeTakeFirst()
  if (!group) throw notFound('errors.groupNotFound')
  const people = await db
    .selectFrom('group_people')
    .innerJoin('users', 'users.id', 'userId')
    .select(['users.id', 'users.username', 'users.name'])
    .where('groupId', '=', groupId)
    .orderBy('users.username')
    .execute()
  const groups = await db
    .selectFrom('group_parts')
    .innerJoin('groups', 'groups.id', 'partId')
    .select(['groups.id', 'groups.username', 'groups.name'])
    .where('groupId', '=', groupId)
    .orderBy('groups.username')
    .execute()
  return { ...group, people, groups }
}
