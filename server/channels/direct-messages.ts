import type { Transaction } from 'kysely'
import { directName } from '#contract/channel-name'
import { ASSISTANT } from '#contract/ids'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { notFound, refusedHere } from '../errors.ts'
import { userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { presentChannel } from './channel-rows.ts'
import { countNewChannel } from './count-new-channel.ts'
import { lockActiveUsers, requireKnown } from './memberships.ts'

/** @throws AppError 403 if the other person has blocked direct messages from this user, without saying so */
async function requireUnblocked(tx: Transaction<DB>, me: string, other: string) {
  const block = tx.selectFrom('blocks').select('userId').where('userId', '=', other).where('blockedId', '=', me)
  if (await block.executeTakeFirst()) throw refusedHere('errors.notDelivered')
}

/**
 * The direct message of exactly these people; concurrent calls create only one.
 * @param others one or more other users, without duplicates
 * @throws AppError 404 if one of them does not exist, or is deactivated and there is no direct message yet
 */
export async function findOrCreateDirectMessage(services: Services, me: string, others: string[]) {
  const { config, db, publish, memberSockets, writer } = services
  const userIds = [me, ...others].sort()
  const directKey = userIds.join(' ')
  const find = () => db.selectFrom('channels').select('id').where('directKey', '=', directKey).executeTakeFirst()
  const existing = await find()
  if (existing) return { id: existing.id, isNew: false }

  const id = newId()
  const isNew = await writer.change(
    id,
    async (tx) => {
      await requireKnown(tx, me, others)
      // A direct message with one person and the assistant is still one with that person.
      const people = others.filter((id) => id !== ASSISTANT)
      if (people.length === 1) await requireUnblocked(tx, me, people[0] as string)
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
      await countNewChannel(config, tx, me, 'direct messages')
      await tx
        .insertInto('memberships')
        .values(userIds.map((userId) => ({ channelId: id, userId })))
        .execute()
      return true
    },
    async (made) => {
      if (!made) return
      const channel = await presentChannel(services, me, id)
      memberSockets.join(id, userIds, 1)
      publish(userIds.map(userRoom), 'channel:created', { ...channel, memberIds: userIds })
    },
  )
  return isNew ? { id, isNew } : { id: ((await find()) as { id: string }).id, isNew }
}
