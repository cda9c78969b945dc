import { sql, type Transaction } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { actAs } from '../audit/write-audit.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { AppError, notFound } from '../errors.ts'
import type { Services } from '../services.ts'
import { addMember, lockActiveUsers, publishMemberJoined } from './memberships.ts'
import { removeChannel } from './remove-channel.ts'
import { lockChannel } from './revision.ts'
import { publishChannel, updateLockedChannel } from './update-channel.ts'

/** Channels with more changes are not searched, and stay. */
const MAX_CHANGES = 2000

/** Whether a channel has an active member besides its owner. */
const hasOthers = sql<boolean>`exists (
  select from memberships m join users u on u.id = m."userId"
  where m."channelId" = channels.id and m."userId" <> channels."ownerId" and u."deactivatedAt" is null
    and u.id <> ${ASSISTANT})`

/** Whether only the owner has written or uploaded in a channel, and nobody would miss it. */
const isLeftover = sql<boolean>`(
  channels.rev <= ${MAX_CHANGES}
  and channels.id <> (select "generalId" from workspace)
  and (channels.kind = 'public' or not ${hasOthers})
  and not exists (
    select from messages m
    where m."channelId" = channels.id and m."userId" <> channels."ownerId" and m."userId" <> ${ASSISTANT})
  and not exists (
    select from files f where f."channelId" = channels.id and f."userId" <> channels."ownerId" and f.state = 'ready'))`

/** Private channels are handed over to members only: nobody must gain access by deactivating an owner. */
const heir = sql<string | null>`(
  select u.id from users u
  where u.id = leavers."heirId" and u."deactivatedAt" is null and u.role <> 'guest' and (channels.kind = 'public' or exists (
    select from memberships m where m."channelId" = channels.id and m."userId" = u.id)))`

/** Whether a choice was made that applies to a channel; requires `leavers` to be joined. */
export const isChosen = sql<boolean>`coalesce(${heir} is not null or (leavers."deletesChannels" and ${isLeftover}), false)`

/** Channels whose owner was deactivated, with the choice that was made for them. */
const left = (db: Db | Transaction<DB>) =>
  db
    .selectFrom('channels')
    .innerJoin('leavers', 'leavers.userId', 'channels.ownerId')
    .innerJoin('users as owner', 'owner.id', 'leavers.userId')
    .select(['channels.id', 'leavers.actorId', heir.as('heirId')])
    .select(sql<boolean>`leavers."deletesChannels" and ${isLeftover}`.as('isDeleted'))
    .where('owner.deactivatedAt', 'is not', null)
    .where('channels.deletedAt', 'is', null)
    .where(isChosen)

/** How many channels somebody owns, and how many of them would be deleted. */
export async function countOwned(db: Db, userId: string) {
  return db
    .selectFrom('channels')
    .select((row) => row.fn.countAll<number>().as('owned'))
    .select(sql<number>`count(*) filter (where ${isLeftover})`.as('leftover'))
    .where('ownerId', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
}

/** Hands over and deletes channels as chosen, for one person or for all. Calls `onFailure` for each channel that failed. */
export async function settleLeavers(services: Services, onFailure: (error: unknown) => void, userId?: string) {
  let leavers = services.db
    .selectFrom('leavers')
    .innerJoin('users', 'users.id', 'leavers.userId')
    .select(['leavers.id', 'leavers.userId'])
    .where('users.deactivatedAt', 'is not', null)
  if (userId !== undefined) leavers = leavers.where('leavers.userId', '=', userId)
  for (const leaver of await leavers.execute()) await settle(services, leaver, onFailure)
}

/** Applies a choice to the channels as they are now, and removes it once done. */
async function settle(
  services: Services,
  { id: leaverId, userId }: { id: string; userId: string },
  onFailure: (error: unknown) => void,
) {
  let hasFailed = false
  const failed = (error: unknown) => {
    hasFailed = true
    onFailure(error)
  }
  const chosen = left(services.db).where('leavers.userId', '=', userId)
  for (const { id, actorId, heirId, isDeleted } of await chosen.orderBy('channels.id').execute()) {
    if (isDeleted) await deleteLeftover(services, id, actorId).catch(failed)
    else if (heirId !== null) await handOver(services, id, actorId).catch(failed)
  }
  if (!hasFailed) await services.db.deleteFrom('leavers').where('id', '=', leaverId).execute()
}

async function deleteLeftover(services: Services, channelId: string, actorId: string) {
  const require = async (tx: Transaction<DB>) => {
    await actAs(tx, actorId, {})
    await lockChannel(tx, channelId)
    const still = await left(tx).where('channels.id', '=', channelId).executeTakeFirst()
    if (!still?.isDeleted) throw notFound('errors.channelNotFound')
  }
  await removeChannel(services, channelId, require).catch((error) => {
    // Somebody wrote in it in the meantime, or another node deleted it.
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  })
}

function handOver(services: Services, channelId: string, actorId: string) {
  return services.writer.change(
    channelId,
    async (tx) => {
      await actAs(tx, actorId, {})
      const { ownerId } = await lockChannel(tx, channelId)
      const still = await left(tx).where('channels.id', '=', channelId).executeTakeFirst()
      const heirId = still?.heirId
      if (ownerId === null || !heirId || !(await lockActiveUsers(tx, [heirId])).has(heirId)) return undefined
      const joined = await addMember(tx, channelId, heirId)
      return { heirId, joined, channel: await updateLockedChannel(services, tx, channelId, { ownerId: heirId }) }
    },
    async (done) => {
      if (!done) return
      await publishMemberJoined(services, channelId, done.heirId, done.joined)
      publishChannel(services, done.channel)
    },
  )
}
