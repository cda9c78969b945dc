import { directName } from '#contract/channel-name'
import { newId } from '../db/ids.ts'
import { notFound } from '../errors.ts'
import { userRoom } from '../realtime.ts'
import type { Services } from '../services.ts'
import { presentChannel } from './channel-rows.ts'
import { lockActiveUsers } from './memberships.ts'

/**
 * The direct message of exactly these people; two calls at once create one.
 * @param others one or more other users, without duplicates
 * @throws AppError 404 if one of them does not exist, or is deactivated and there is no direct message yet
 */
export async function findOrCreateDirectMessage(services: Services, me: string, others: string[]) {
  const { db, publish, roomMembers, writer } = services
  const userIds = [me, ...others].sort()
  const directKey = userIds.join(' ')
  const find = () => db.selectFrom('channels').select('id').where('directKey', '=', directKey).executeTakeFirst()
  const existing = await find()
  if (existing) return { id: existing.id, isNew: false }

  const id = newId()
  const isNew = await writer.change(
    id,
    async (tx) => {
      if ((await lockActiveUsers(tx, userIds)).size < userIds.length) throw notFound('errors.userNotFound')
      const users = await tx.selectFrom('users').select('username').where('id', 'in', userIds).execute()
      const name = directName(users.map(({ username }) => username))
      const made = await tx
        .insertInto('channels')
        .values({ id, name, kind: 'direct', directKey, memberCount: userIds.length, rev: 1, selfRev: 1 })
        .onConflict((conflict) => conflict.column('directKey').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) return false
      await tx
        .insertInto('memberships')
        .values(userIds.map((userId) => ({ channelId: id, userId })))
        .execute()
      return true
    },
    async (made) => {
      if (!made) return
      const channel = await presentChannel(services, me, id)
      roomMembers.join(id, userIds, 1)
      publish(userIds.map(userRoom), 'channel:created', { ...channel, memberIds: userIds })
    },
  )
  return isNew ? { id, isNew } : { id: ((await find()) as { id: string }).id, isNew }
}
