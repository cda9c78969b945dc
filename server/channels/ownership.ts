import { setTimeout as sleep } from 'node:timers/promises'
import type { Changes } from '../changes/watch.ts'
import type { Db } from '../db/database.ts'
import type { Services } from '../services.ts'
import { lockActiveUsers } from './memberships.ts'
import { lockChannel } from './revision.ts'
import { publishChannel, updateLockedChannel } from './update-channel.ts'

/** How long a deactivation waits for the hand-over of its channels. */
const HANDOVER_MS = 2000

/** Channels whose owner was deactivated, while somebody else is in them who could change them. */
const ownerless = (db: Db) =>
  db
    .selectFrom('channels')
    .innerJoin('users as owner', 'owner.id', 'channels.ownerId')
    .select('channels.id')
    .where('owner.deactivatedAt', 'is not', null)
    .where('channels.deletedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('memberships')
          .innerJoin('users', 'users.id', 'memberships.userId')
          .whereRef('memberships.channelId', '=', 'channels.id')
          .where('users.deactivatedAt', 'is', null)
          .select('users.id'),
      ),
    )

/** Gives a channel whose owner was deactivated to the member who has been in it longest. */
function handOver(services: Services, channelId: string) {
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
        // Who is being deactivated in this moment is no heir.
        .forShare('users')
        .executeTakeFirst()
      return heir && updateLockedChannel(services, tx, channelId, { ownerId: heir.userId })
    },
    (channel) => channel && publishChannel(services, channel),
  )
}

/**
 * Gives the channels of one who was deactivated to those who have been in them longest. Whoever waits for it waits for no
 * longer than `HANDOVER_MS`: the rest goes on, and what fails of it is done by whoever notices (`repairOwnership`).
 */
export async function transferOwnership(services: Services, userId: string) {
  const all = async () => {
    for (const { id } of await ownerless(services.db).where('owner.id', '=', userId).execute())
      await handOver(services, id)
  }
  const failed = (error: unknown) => services.log.warn({ err: error }, 'channels could not be handed over yet')
  await Promise.race([all().catch(failed), sleep(HANDOVER_MS, undefined, { ref: false })])
}

/**
 * Sees to it that no channel is left with people in it of whom nobody can change it: also where a node gave up or died
 * before it handed over, where two were deactivated at once, or where somebody joined afterwards. `apply` takes
 * the changes that were noticed; without any, every channel is checked. `stop` waits for the check under way.
 */
export function repairOwnership(services: Services) {
  const { db, log } = services
  /** Channels to be looked at; all of them at first, and when somebody was deactivated or let in again. */
  let all = true
  let some = new Set<string>()
  let running: Promise<void> | undefined

  async function look() {
    const asked = some
    const isAll = all
    all = false
    some = new Set()
    try {
      let found = ownerless(db)
      if (!isAll) found = found.where('channels.id', 'in', [...asked])
      for (const { id } of await found.execute()) await handOver(services, id).catch(again)
    } catch (error) {
      again(error)
    }
  }

  function again(error: unknown) {
    log.warn({ err: error }, 'a channel could not be handed over yet')
    all = true
  }

  function apply(changes?: Pick<Changes, 'people' | 'access'>) {
    if (!changes || changes.people.length > 0) all = true
    for (const { channelId, isMember } of changes?.access ?? []) if (isMember) some.add(channelId)
    if (running || (!all && some.size === 0)) return
    running = look().finally(() => {
      running = undefined
    })
  }

  return { apply, stop: async () => running }
}
