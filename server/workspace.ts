import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import { everyone, publish, type Realtime } from './realtime.ts'

/** Tells which database this is: browsers drop their cache when it changes. */
export async function readEpoch(db: Db): Promise<string> {
  return (await db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()).epoch
}

/**
 * Lets a person in: everyone is in #general, and the first one owns the workspace and #general.
 * Asked at every sign-in, so that a crash between sign-up and this leaves nobody outside.
 * Answers the channel that was joined, with its revision and member count, or undefined where nothing changed.
 */
async function arrive(db: Db, userId: string) {
  const { generalId } = await db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  const membership = db.selectFrom('memberships').where('channelId', '=', generalId).where('userId', '=', userId)
  if (await membership.select('userId').executeTakeFirst()) return undefined

  return db.transaction().execute(async (tx) => {
    // Locked first: two first people at once make one owner, and a channel's revisions keep their order.
    const general = await tx
      .selectFrom('channels')
      .select('seq')
      .where('id', '=', generalId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const joined = await tx
      .insertInto('memberships')
      .values({ channelId: generalId, userId, lastReadSeq: general.seq })
      .onConflict((it) => it.doNothing())
      .returning('userId')
      .executeTakeFirst()
    if (!joined) return undefined

    const owned = await tx
      .updateTable('workspace')
      .set({ ownerId: userId })
      .where('ownerId', 'is', null)
      .returning('ownerId')
      .executeTakeFirst()
    if (owned) await tx.updateTable('users').set({ role: 'owner' }).where('id', '=', userId).execute()
    return tx
      .updateTable('channels')
      .set({
        memberCount: sql`"memberCount" + 1`,
        rev: sql`rev + 1`,
        changedAt: sql`now()`,
        ...(owned && { ownerId: userId }),
      })
      .where('id', '=', generalId)
      .returning(['id as channelId', 'rev', 'memberCount'])
      .executeTakeFirstOrThrow()
  })
}

/** Lets a person in and tells the others. */
export async function welcome(db: Db, io: Realtime, userId: string) {
  const joined = await arrive(db, userId)
  if (!joined) return
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  publish(io, everyone, 'channel:member_joined', { ...joined, user })
}
