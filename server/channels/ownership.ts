import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseChanges } from '../changes/watch.ts'
import type { Db } from '../db/database.ts'
import type { Services } from '../services.ts'
import { repairMemberships } from './end-memberships.ts'
import { isChosen, settleLeavers } from './leavers.ts'
import { lockActiveUsers } from './memberships.ts'
import { lockChannel } from './revision.ts'
import { publishChannel, updateLockedChannel } from './update-channel.ts'

/** A deactivation waits at most this long for its channels to change owners. */
const TRANSFER_TIMEOUT_MS = 2000
/** Delay after a failed repair. */
const RETRY_DELAY_MS = 5000

/** Channels with a deactivated owner and an active member, unless another choice was made for them. */
const ownerless = (db: Db) =>
  db
    .selectFrom('channels')
    .innerJoin('users as owner', 'owner.id', 'channels.ownerId')
    .leftJoin('leavers', 'leavers.userId', 'channels.ownerId')
    .select('channels.id')
    .where('owner.deactivatedAt', 'is not', null)
    .where('channels.deletedAt', 'is', null)
    .where(({ not }) => not(isChosen))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('memberships')
          .innerJoin('users', 'users.id', 'memberships.userId')
          .whereRef('memberships.channelId', '=', 'channels.id')
          .where('users.deactivatedAt', 'is', null)
          .select('users.id'),
      ),
    )

/** Makes the longest-standing active member the owner of a channel whose owner was deactivated. */
function transferChannel(services: Services, channelId: string) {
  return services.writer.change(
    channelId,
    async (tx) => {
      const { ownerId } = await lockChannel(tx, channelId)
      if (ownerId === null || (await lockActiveUsers(tx, [ownerId])).size > 0) return undefined
      const heir = await tx
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.userId')
        .where('channelId', '=', channelId)
        .where('deactivatedAt', 'is', null)
        .orderBy('joinedAt')
        .orderBy('userId')
        .select('userId')
        .limit(1)
        // Waits for a running deactivation of the heir.
        .forShare('users')
        .executeTakeFirst()
      return heir && updateLockedChannel(services, tx, channelId, { ownerId: heir.userId })
    },
    (channel) => channel && publishChannel(services, channel),
  )
}

/**
 * Transfers the channels of a deactivated user, first those with a choice. Resolves after `TRANSFER_TIMEOUT_MS` at the latest:
 * the rest continues in the background, and `repairOwnership` retries failures.
 */
export async function transferOwnership(services: Services, userId: string) {
  const failed = (error: unknown) =>
    services.log.warn({ err: error }, 'the channels of a deactivated user could not be transferred yet')
  const all = async () => {
    await settleLeavers(services, failed, userId)
    for (const { id } of await ownerless(services.db).where('owner.id', '=', userId).execute())
      await transferChannel(services, id)
  }
  await Promise.race([all().catch(failed), sleep(TRANSFER_TIMEOUT_MS, undefined, { ref: false })])
}

/**
 * Finds new owners for channels that still lack an active one: because a node died before the transfer, two users were
 * deactivated concurrently, or somebody joined afterwards. Also removes deleted accounts from conversations. `apply` checks the
 * channels that changed; without an argument, all of them. `stop` waits for the current check.
 */
export function repairOwnership(services: Services) {
  const { db, log } = services
  /** Set at the start, and after a deactivation or reactivation. */
  let checksAll = true
  let channelIds = new Set<string>()
  let running: Promise<void> | undefined
  /** The time of the next retry: a channel that keeps failing must not keep the database busy. */
  let retryAt = 0

  async function check() {
    const [isAll, ids] = [checksAll, channelIds]
    checksAll = false
    channelIds = new Set()
    try {
      if (isAll) await repairMemberships(services).catch(retryLater)
      if (isAll) await settleLeavers(services, retryLater)
      let found = ownerless(db)
      if (!isAll) found = found.where('channels.id', 'in', [...ids])
      for (const { id } of await found.execute()) await transferChannel(services, id).catch(retryLater)
    } catch (error) {
      retryLater(error)
    }
  }

  function retryLater(error: unknown) {
    log.warn({ err: error }, 'a channel could not be transferred yet')
    checksAll = true
    retryAt = performance.now() + RETRY_DELAY_MS
  }

  function apply(changes?: Pick<DatabaseChanges, 'people' | 'access'>) {
    if (!changes || changes.people.length > 0) checksAll = true
    for (const { channelId, isMember } of changes?.access ?? []) if (isMember) channelIds.add(channelId)
    if (running || (!checksAll && channelIds.size === 0) || performance.now() < retryAt) return
    running = check().finally(() => {
      running = undefined
    })
  }

  return { apply, stop: async () => running }
}
