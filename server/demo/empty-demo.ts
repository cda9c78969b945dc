import { sql, type Transaction } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { type AuditSource, writeAudit } from '../audit/write-audit.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { PRODUCT } from '../db/workspace-name.ts'
import { conflict } from '../errors.ts'
import type { Services } from '../services.ts'
import { withDemoLock } from './demo-lock.ts'
import { DEMO_NAME } from './week.ts'

/**
 * Removes the people of the demo, its channels, and everything written in #general, whoever wrote it. Real people stay, with
 * their own channels and direct messages. Sequence numbers start again, so a new epoch begins: every node and every browser
 * drops what it holds. The sweep deletes the bytes of the files.
 * @throws AppError 409 `on_hold` while a hold keeps messages; `demo_busy`
 */
export async function emptyDemo({ db, pollSoon }: Services, { ownerId, ...source }: AuditSource & { ownerId: string }) {
  await withDemoLock(db, () =>
    db.transaction().execute(async (tx) => {
      const { demo } = await tx.selectFrom('workspace').select('demo').forUpdate().executeTakeFirstOrThrow()
      if (demo === null) return
      await removeDemo(tx)
      await writeAudit(tx, { kind: 'demo_emptied', actorId: ownerId, ...source })
    }),
  )
  pollSoon()
}

/** Whether the workspace is new: nobody but the owner has an account. */
export async function canFill(db: Db | Transaction<DB>, ownerId?: string): Promise<boolean> {
  const { is } = await db
    .selectFrom('workspace')
    .select(({ and, eb, not, exists, selectFrom }) =>
      and([
        eb('demo', 'is', null),
        not(
          exists(
            selectFrom('users')
              .select('id')
              .where('id', 'not in', [ASSISTANT, ownerId ?? ASSISTANT]),
          ),
        ),
      ]).as('is'),
    )
    .executeTakeFirstOrThrow()
  return Boolean(is)
}

/** Whether the demo is there or can be, and how many messages of real people it would take with it. */
export async function readDemo(db: Db, ownerId: string) {
  const { demo, generalId } = await db.selectFrom('workspace').select(['demo', 'generalId']).executeTakeFirstOrThrow()
  if (demo === null) return { state: null, canFill: await canFill(db, ownerId), ownMessages: 0 }
  if (demo === 'filling') return { state: 'filling' as const, canFill: false, ownMessages: 0 }
  const real = db.selectFrom('users').select('id').where('isDemo', '=', false).where('id', '!=', ASSISTANT)
  const { count } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('deletedAt', 'is', null)
    .where('userId', 'in', real)
    .where(({ or, eb }) => or([eb('channelId', '=', generalId), eb('channelId', 'in', gone(db))]))
    .executeTakeFirstOrThrow()
  return { state: 'filled' as const, canFill: false, ownMessages: Number(count) }
}

/** The channels of the demo, and direct messages with its people. */
const gone = (db: Db | Transaction<DB>) =>
  db
    .selectFrom('channels')
    .select('channels.id')
    .where(({ or, and, eb, exists, selectFrom }) =>
      or([
        eb('channels.isDemo', '=', true),
        and([
          eb('channels.kind', '=', 'direct'),
          exists(
            selectFrom('memberships')
              .innerJoin('users', 'users.id', 'memberships.userId')
              .select('users.id')
              .whereRef('memberships.channelId', '=', 'channels.id')
              .where('users.isDemo', '=', true),
          ),
        ]),
      ]),
    )

/** Call it with the lock. @throws AppError 409 `on_hold` */
export async function removeDemo(tx: Transaction<DB>) {
  // As in retention: a hold that is placed now waits for this transaction.
  await sql`select pg_advisory_xact_lock_shared(hashtext('holds'))`.execute(tx)
  if (await tx.selectFrom('holds').select('id').limit(1).executeTakeFirst())
    throw conflict('on_hold', 'errors.demoOnHold')
  const people = await tx
    .selectFrom('users')
    .select('id')
    .where('isDemo', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  // From here on, nobody adds them to a channel or a direct message.
  const peopleIds = people.map(({ id }) => id)
  await removeContent(tx)
  if (peopleIds.length > 0) await removePeople(tx, peopleIds)
  await tx
    .updateTable('workspace')
    .set({
      demo: null,
      epoch: sql<string>`gen_random_uuid()`,
      name: sql<string>`case when name = ${DEMO_NAME} then ${PRODUCT} else name end`,
      nameVersion: sql<number>`"nameVersion" + 1`,
      peopleVersion: sql<number>`"peopleVersion" + 1`,
    })
    .execute()
}

async function removeContent(tx: Transaction<DB>) {
  const ids = (await gone(tx).execute()).map(({ id }) => id)
  const { generalId } = await tx.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  const emptied = [...ids, generalId]
  // In the order in which they are locked elsewhere.
  await tx.selectFrom('channels').select('id').where('id', 'in', emptied).orderBy('id').forUpdate().execute()
  await tx
    .updateTable('files')
    .set({ state: 'gone', isShown: false, channelId: null, messageId: null })
    .where('channelId', 'in', emptied)
    .execute()
  await tx.deleteFrom('messages').where('channelId', 'in', emptied).execute()
  await tx.deleteFrom('search_blocks').where('channelId', 'in', emptied).execute()
  await tx
    .updateTable('exports')
    .set({ expiresAt: sql<string>`'epoch'::timestamptz` })
    .where('channelId', 'in', emptied)
    .execute()
  if (ids.length > 0) await tx.deleteFrom('channels').where('id', 'in', ids).execute()
  await tx.updateTable('memberships').set({ lastReadSeq: 0 }).where('channelId', '=', generalId).execute()
  await tx
    .updateTable('channels')
    .set({ seq: 0, lastMessageAt: null, rev: sql<number>`rev + 1`, selfRev: sql<number>`rev + 1` })
    .where('id', '=', generalId)
    .execute()
}

async function removePeople(tx: Transaction<DB>, people: string[]) {
  await tx.deleteFrom('avatars').where('userId', 'in', people).execute()
  // The sweep needs the rows, whose people are deleted.
  await tx
    .updateTable('files')
    .set({ state: 'gone', isShown: false, channelId: null, messageId: null, userId: ASSISTANT })
    .where('userId', 'in', people)
    .execute()
  await leaveKeptChannels(tx, people)
  await sql`
    update messages set mentions = coalesce((
      select jsonb_agg(one) from jsonb_array_elements(messages.mentions) one where not one ->> 'userId' = any(${people})
    ), '[]') where id in (select "messageId" from mentions where "userId" = any(${people}))
  `.execute(tx)
  await tx.deleteFrom('mentions').where('userId', 'in', people).execute()
  // Nobody acts for them, except an import whose authors were mapped to them: such people stay, deactivated.
  const authors = tx.selectFrom('messages').select('userId')
  await tx.deleteFrom('users').where('id', 'in', people).where('id', 'not in', authors).execute()
  await tx
    .updateTable('users')
    .set({ isDemo: false, deactivatedAt: sql<string>`clock_timestamp()` })
    .where('isDemo', '=', true)
    .execute()
}

/** Ends their memberships in channels of real people. What they own there goes to the member who has been there longest. */
async function leaveKeptChannels(tx: Transaction<DB>, people: string[]) {
  const counted = await tx.deleteFrom('memberships').where('userId', 'in', people).returning('channelId').execute()
  const channelIds = [...new Set(counted.map(({ channelId }) => channelId))]
  if (channelIds.length === 0) return
  await sql`
    update channels c set rev = rev + 1, "selfRev" = rev + 1,
      "memberCount" = (select count(*) from memberships m where m."channelId" = c.id),
      "ownerId" = case when c."ownerId" = any(${people}) then (
        select m."userId" from memberships m join users u on u.id = m."userId"
        where m."channelId" = c.id and u."deactivatedAt" is null order by m."joinedAt", m."userId" limit 1
      ) else c."ownerId" end
    where c.id = any(${channelIds}::uuid[])
  `.execute(tx)
}
