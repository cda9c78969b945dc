import { randomInt } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'
import { generateRandomString, symmetricDecrypt, symmetricEncrypt, verifyPassword } from 'better-auth/crypto'
import type { Transaction } from 'kysely'
import { type AuditSource, writeAudit } from '../../audit/write-audit.ts'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, invalidField, unauthenticated } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { passwordAccount } from '../passwords.ts'

const CODES = 10
/** Without letters and digits that look alike. */
const CODE_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

interface Act {
  userId: string
  sessionId: string
  source: AuditSource
}

/**
 * Turns somebody's second factor on and off. Better Auth's plugin (`auth-plugins.ts`) reads the same table to ask for it at
 * sign-in. Its own calls for this are not used: they need the session's cookie, skip the audit log and our limits, and replace
 * the session.
 */
export function createTwoFactor(db: Db, secret: string) {
  const encrypt = (data: string) => symmetricEncrypt({ key: secret, data })
  const decrypt = (data: string) => symmetricDecrypt({ key: secret, data })

  async function newCodes() {
    const recoveryCodes = Array.from({ length: CODES }, newCode)
    return { recoveryCodes, backupCodes: await encrypt(JSON.stringify(recoveryCodes)) }
  }

  return {
    async state(userId: string) {
      const row = await rowOf(db, userId)
      if (!row?.verified) return { isOn: false, codesLeft: 0 }
      return { isOn: true, codesLeft: JSON.parse(await decrypt(row.backupCodes)).length as number }
    },

    /** @returns the secret for the app. @throws AppError 400 for a wrong password, 409 */
    async setUp(userId: string, password: string, issuer: string) {
      await confirmPassword(db, userId, password)
      const plain = generateRandomString(32)
      const row = { secret: await encrypt(plain), backupCodes: await encrypt('[]'), verified: false }
      const { username } = await db
        .selectFrom('users')
        .select('username')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('two_factors')
        .values({ id: newId(), userId, ...row })
        .onConflict((it) => it.column('userId').doUpdateSet(row).where('two_factors.verified', '=', false))
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) throw conflict('two_factor_state', 'errors.twoFactorOn')
      const uri = createOTP(plain).url(issuer, username)
      return { secret: new URL(uri).searchParams.get('secret') ?? '', uri }
    },

    /** @returns the recovery codes. @throws AppError 400 for a wrong code, 409 */
    async turnOn({ userId, sessionId, source }: Act, code: string) {
      const { recoveryCodes, backupCodes } = await newCodes()
      await db.transaction().execute(async (tx) => {
        await lockSession(tx, userId, sessionId)
        const row = await rowOf(tx, userId)
        if (!row) throw conflict('two_factor_state', 'errors.twoFactorNotSetUp')
        if (row.verified) throw conflict('two_factor_state', 'errors.twoFactorOn')
        if (!(await createOTP(await decrypt(row.secret)).verify(code.replaceAll(/\s/g, ''))))
          throw invalidField('code', 'errors.wrongCode')
        const counters = { failedVerificationCount: 0, lockedUntil: null }
        await tx
          .updateTable('two_factors')
          .set({ verified: true, backupCodes, ...counters })
          .where('id', '=', row.id)
          .execute()
        await tx.updateTable('users').set({ twoFactorEnabled: true }).where('id', '=', userId).execute()
        await writeAudit(tx, { kind: 'two_factor_on', actorId: userId, ...source })
      })
      return recoveryCodes
    },

    async renewCodes({ userId, sessionId, source }: Act, password: string) {
      await confirmPassword(db, userId, password)
      const { recoveryCodes, backupCodes } = await newCodes()
      await db.transaction().execute(async (tx) => {
        await lockSession(tx, userId, sessionId)
        const { numUpdatedRows } = await tx
          .updateTable('two_factors')
          .set({ backupCodes })
          .where('userId', '=', userId)
          .where('verified', '=', true)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw conflict('two_factor_state', 'errors.twoFactorOff')
        await writeAudit(tx, { kind: 'recovery_codes_renewed', actorId: userId, ...source })
      })
      return recoveryCodes
    },

    async turnOff({ userId, sessionId, source }: Act, password: string) {
      await confirmPassword(db, userId, password)
      await db.transaction().execute(async (tx) => {
        await lockSession(tx, userId, sessionId)
        // Lock it, so that the demand can't change in between.
        const workspace = tx.selectFrom('workspace').select(['demandsSecondFactor', 'secondFactorAt']).forShare()
        const { demandsSecondFactor, secondFactorAt } = await workspace.executeTakeFirstOrThrow()
        // Whoever announced it keeps their own.
        const isAnnouncing = secondFactorAt !== null && (await roleOf(tx, userId)) === 'owner'
        if (demandsSecondFactor || isAnnouncing) throw conflict('two_factor_state', 'errors.secondFactorDemanded')
        if (!(await endTwoFactor(tx, userId))) throw conflict('two_factor_state', 'errors.twoFactorOff')
        await writeAudit(tx, { kind: 'two_factor_off', actorId: userId, ...source })
      })
    },
  }
}

/** Removes somebody's second factor. Returns whether they had one. */
export async function endTwoFactor(tx: Transaction<DB>, userId: string): Promise<boolean> {
  const ended = await tx.deleteFrom('two_factors').where('userId', '=', userId).returning('verified').executeTakeFirst()
  await tx.updateTable('users').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
  return ended?.verified === true
}

function newCode() {
  const letters = Array.from({ length: 10 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

const rowOf = (db: Db | Transaction<DB>, userId: string) =>
  db.selectFrom('two_factors').selectAll().where('userId', '=', userId).executeTakeFirst()

/** @throws AppError 400 for a wrong password, 409 `no_password` */
export async function confirmPassword(db: Db, userId: string, password: string) {
  const hash = (await passwordAccount(db, userId))?.password
  if (!hash) throw conflict('no_password', 'errors.noPassword')
  if (!(await verifyPassword({ hash, password }))) throw invalidField('password', 'errors.wrongPassword')
}

/** Fails if the session ended while the password was checked, because a token outlives its session for a moment. */
export async function lockSession(tx: Transaction<DB>, userId: string, sessionId: string) {
  const session = tx.selectFrom('sessions').select('id').where('id', '=', sessionId).where('userId', '=', userId)
  if (!(await session.forUpdate().executeTakeFirst())) throw unauthenticated()
}
