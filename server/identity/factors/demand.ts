import { type Kysely, sql, type Transaction } from 'kysely'
import { type AuditSource, writeAudit } from '../../audit/write-audit.ts'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'

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

/** Whether everybody needs a second factor, and how many people with a password have none. */
export async function readDemand(db: Db) {
  const { demandsSecondFactor } = await db
    .selectFrom('workspace')
    .select('demandsSecondFactor')
    .executeTakeFirstOrThrow()
  const { without } = await db
    .selectFrom('users')
    .where('deactivatedAt', 'is', null)
    .where('twoFactorEnabled', '=', false)
    .where((it) =>
      it.exists(
        it
          .selectFrom('accounts')
          .select('accounts.id')
          .whereRef('accounts.userId', '=', 'users.id')
          .where('providerId', '=', 'credential'),
      ),
    )
    .where((it) =>
      it.not(it.exists(it.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.userId', '=', 'users.id'))),
    )
    .select((it) => it.fn.countAll<number>().as('without'))
    .executeTakeFirstOrThrow()
  return { isDemanded: demandsSecondFactor, without: Number(without) }
}

interface Change {
  me: string
  sessionId: string
  isDemanded: boolean
  source: AuditSource
}

/**
 * Sets whether everybody needs a second factor. The sessions of people without one end, with their tokens: they have to set one
 * up when they sign in again.
 * @throws AppError 403, 409 if the owner has none
 */
export const setDemand = (db: Db, { me, sessionId, isDemanded, source }: Change) =>
  db.transaction().execute(async (tx) => {
    await tx.selectFrom('workspace').select('epoch').forUpdate().execute()
    if ((await roleOf(tx, me)) !== 'owner') throw forbidden()
    const owing = withoutSecondFactor(tx)
    if (isDemanded && (await owing.where('sessions.id', '=', sessionId).executeTakeFirst()))
      throw conflict('second_factor_first', 'errors.secondFactorFirst')
    const { numUpdatedRows } = await tx
      .updateTable('workspace')
      .set({ demandsSecondFactor: isDemanded })
      .where('demandsSecondFactor', '<>', isDemanded)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    if (isDemanded) await tx.deleteFrom('sessions').where('id', 'in', owing).execute()
    await writeAudit(tx, { kind: 'second_factor_demanded', actorId: me, details: { isDemanded }, ...source })
  })
