import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { actAs } from '../audit/write-audit.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { endMembership, publishMemberLeft } from './memberships.ts'
import { removeChannel } from './remove-channel.ts'
import { lockChannel } from './revision.ts'
import { publishChannel, updateLockedChannel } from './update-channel.ts'

/** Deleting an account waits at most this long for its conversations; the rest continues in the background. */
const TIMEOUT_MS = 2000

/** The number of a channel's members who are people and have not deleted their account. */
const peopleLeft = sql<number>`(
  select count(*)::integer from memberships m join users u on u.id = m."userId"
  where m."channelId" = channels.id and u."erasedAt" is null and u.id <> ${ASSISTANT}
)`

/**
 * Conversations that deleted accounts are still part of. A direct message keeps them as members, because the others must see
 * whose it was; it is listed once nobody is left to write to.
 */
const unfinished = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.userId', 'users.id')
    .innerJoin('channels', 'channels.id', 'memberships.channelId')
    .select(['channels.id as channelId', 'users.id as userId'])
    .where('users.erasedAt', 'is not', null)
    .where('channels.deletedAt', 'is', null)
    .where(
      sql<boolean>`(channels.kind <> 'direct' or (channels."archivedAt" is null and ${peopleLeft} <= 1) or ${peopleLeft} = 0)`,
    )

/** Ends a person's part in a conversation after they deleted their account. */
async function endIn(services: Services, channelId: string, userId: string) {
  const { db, writer } = services
  const found = await db
    .selectFrom('channels')
    .select(['kind', peopleLeft.as('left')])
    .where('id', '=', channelId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!found) return
  // Nobody is left to read it. Public channels stay, because everybody can.
  if (found.left === 0 && found.kind !== 'public') {
    await removeChannel(services, channelId, async (tx) => {
      await actAs(tx, userId, {})
      await lockChannel(tx, channelId)
    })
    return
  }
  if (found.kind === 'direct')
    await writer.change(
      channelId,
      async (tx) => {
        const { archivedAt } = await lockChannel(tx, channelId)
        if (archivedAt || (await countLeft(tx, channelId)) > 1) return undefined
        return updateLockedChannel(services, tx, channelId, { archivedAt: sql<string>`clock_timestamp()` })
      },
      (channel) => channel && publishChannel(services, channel),
    )
  else
    await writer.change(
      channelId,
      async (tx) => {
        await lockChannel(tx, channelId)
        return endMembership(tx, channelId, userId)
      },
      (left) => publishMemberLeft(services, channelId, userId, left),
    )
}

async function countLeft(tx: Transaction<DB>, channelId: string) {
  const { left } = await tx
    .selectFrom('channels')
    .select(peopleLeft.as('left'))
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow()
  return left
}

/**
 * Removes a person who deleted their account from all conversations. Resolves after `TIMEOUT_MS` at the latest: the rest
 * continues in the background, and `repairMemberships` retries failures.
 */
export async function endMemberships(services: Services, userId: string) {
  const { db, log } = services
  const all = async () => {
    for (const { channelId } of await unfinished(db).where('users.id', '=', userId).execute())
      await endIn(services, channelId, userId)
    await db.deleteFrom('thread_follows').where('userId', '=', userId).execute()
  }
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'a deleted account could not be removed from its conversations yet')
  await Promise.race([all().catch(failed), sleep(TIMEOUT_MS, undefined, { ref: false })])
}

/** Does the same for all deleted accounts that are still somewhere, because a node died halfway. @throws if something failed */
export async function repairMemberships(services: Services) {
  const { db } = services
  for (const { channelId, userId } of await unfinished(db).execute()) await endIn(services, channelId, userId)
  const erased = db.selectFrom('users').select('id').where('erasedAt', 'is not', null)
  await db.deleteFrom('thread_follows').where('userId', 'in', erased).execute()
}
