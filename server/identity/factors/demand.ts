import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import { type AuditSource, writeAudit } from '../../audit/write-audit.ts'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import type { Logger } from '../../process/logger.ts'
import { startPolling } from '../../process/poll.ts'

const POLL_MS = 15_000

/**
 * Sessions of people without a second factor that began with just a password. With a passkey the device has verified the user,
 * and with a hosted provider a second factor is up to the provider.
 */
const withoutSecondFactor = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .where('users.twoFactorEnabled', '=', false)
    .where('sessions.providerToken', 'is', null)
    .where(sql<boolean>`coalesce(sessions."signedInBy", 'password') not in ('passkey', 'provider')`)
    .select('sessions.id')

/** Whether a session may only set up a second factor, because the owner demands one. */
export async function owesSecondFactor(db: Db, sessionId: string): Promise<boolean> {
  const owing = withoutSecondFactor(db)
    .innerJoin('workspace', (join) => join.onTrue())
    .where('demandsSecondFactor', '=', true)
    .where('sessions.id', '=', sessionId)
  return (await owing.executeTakeFirst()) !== undefined
}

/** Whether a person with a password has neither an app nor a passkey. */
const hasNoFactor = (it: ExpressionBuilder<DB, 'users'>) =>
  it.and([
    it('twoFactorEnabled', '=', false),
    it.exists(
      it
        .selectFrom('accounts')
        .select('accounts.id')
        .whereRef('accounts.userId', '=', 'users.id')
        .where('providerId', '=', 'credential'),
    ),
    it.not(it.exists(it.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.userId', '=', 'users.id'))),
  ])

/** When a session will end for lack of a second factor; null if it will not. */
export async function secondFactorDue(db: Db, sessionId: string): Promise<string | null> {
  const row = await withoutSecondFactor(db)
    .innerJoin('workspace', (join) => join.onTrue())
    .select('secondFactorAt')
    .where('sessions.id', '=', sessionId)
    .where('secondFactorAt', 'is not', null)
    .executeTakeFirst()
  return row?.secondFactorAt ?? null
}

/** Whether everybody needs a second factor, and how many people with a password have none. */
export async function readDemand(db: Db) {
  const { demandsSecondFactor, secondFactorAt } = await db
    .selectFrom('workspace')
    .select(['demandsSecondFactor', 'secondFactorAt'])
    .executeTakeFirstOrThrow()
  const { without } = await db
    .selectFrom('users')
    .where('deactivatedAt', 'is', null)
    .where(hasNoFactor)
    .select((it) => it.fn.countAll<number>().as('without'))
    .executeTakeFirstOrThrow()
  return { isDemanded: demandsSecondFactor, startsAt: secondFactorAt, without: Number(without) }
}

interface Change {
  me: string
  sessionId: string
  isDemanded: boolean
  /** Days until then. */
  graceDays: number
  source: AuditSource
}

/**
 * Sets whether everybody needs a second factor. The sessions of people without one end, with their tokens: they have to set one
 * up when they sign in again.
 * @throws AppError 403, 409 if the owner has none
 */
export async function setDemand(db: Db, { me, sessionId, isDemanded, graceDays, source }: Change) {
  const isStarting = await db.transaction().execute(async (tx) => {
    const before = await tx.selectFrom('workspace').select('demandsSecondFactor').forUpdate().executeTakeFirstOrThrow()
    if ((await roleOf(tx, me)) !== 'owner') throw forbidden()
    const owing = withoutSecondFactor(tx)
    if (isDemanded && (await owing.where('sessions.id', '=', sessionId).executeTakeFirst()))
      throw conflict('second_factor_first', 'errors.secondFactorFirst')
    if (isDemanded && before.demandsSecondFactor) return false
    if (isDemanded && graceDays > 0) {
      await announce(tx, graceDays)
      await writeAudit(tx, { ...AUDIT, actorId: me, details: { isDemanded, days: graceDays }, ...source })
      return false
    }
    const { numUpdatedRows } = await tx
      .updateTable('workspace')
      .set({ demandsSecondFactor: isDemanded, secondFactorAt: null, permissionsVersion: NEXT_VERSION })
      .where((it) => it.or([it('demandsSecondFactor', '<>', isDemanded), it('secondFactorAt', 'is not', null)]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (isDemanded) await endOwing(tx)
    await writeAudit(tx, { ...AUDIT, actorId: me, details: { isDemanded }, ...source })
    return isDemanded
  })
  if (isStarting) await db.transaction().execute(endOwing)
}

const AUDIT = { kind: 'second_factor_demanded' } as const
/** Open pages ask again what their person may do, and so learn of the date. */
const NEXT_VERSION = sql<number>`"permissionsVersion" + 1`

const announce = (tx: Transaction<DB>, graceDays: number) =>
  tx
    .updateTable('workspace')
    .set({
      secondFactorAt: sql<string>`clock_timestamp() + make_interval(days => ${graceDays})`,
      permissionsVersion: NEXT_VERSION,
    })
    .execute()

/**
 * Ends the sessions without a second factor. To be run again after the commit, for sessions that began before it.
 * They are locked first, so that whoever is just setting one up either has it then, or can no longer.
 */
async function endOwing(tx: Transaction<DB>) {
  const owing = withoutSecondFactor(tx)
  const locked = await owing.orderBy('sessions.id').forUpdate('sessions').execute()
  const ids = sql<string[]>`${locked.map(({ id }) => id)}::text[]`
  await tx.deleteFrom('sessions').where('id', '=', sql<string>`any(${ids})`).where('id', 'in', owing).execute()
}

/** Demands the second factor if its date has come. Returns whether it did. */
export async function startDemand(db: Db): Promise<boolean> {
  const isStarting = await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('workspace')
      .set({ demandsSecondFactor: true, secondFactorAt: null, permissionsVersion: NEXT_VERSION })
      .where('secondFactorAt', '<=', sql<string>`clock_timestamp()`)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await endOwing(tx)
    await writeAudit(tx, { ...AUDIT, actorId: null, details: { isDemanded: true } })
    return true
  })
  if (isStarting) await db.transaction().execute(endOwing)
  return isStarting
}

/** Demands the second factor on its date, on one node. Returns a function that stops it. */
export const startDemanding = ({ db, log, pollSoon }: { db: Db; log: Logger; pollSoon: () => void }) =>
  startPolling({ intervalMs: POLL_MS, log, failure: 'could not begin to demand a second factor' }, async () => {
    if (await startDemand(db)) pollSoon()
    return undefined
  })
