import { AsyncLocalStorage } from 'node:async_hooks'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { sql, type Transaction } from 'kysely'
import { PROVIDER } from '#contract/identity'
import { type AuditSource, writeAudit } from '../audit/write-audit.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { conflict, invalidField, unauthenticated } from '../errors.ts'
import type { Logger } from '../process/logger.ts'
import { endChallenges } from './factors/challenges.ts'
import type { Device } from './factors/known-devices.ts'

export interface SignInAttempt {
  /** The owner of the account. */
  userId?: string
  /** The hash that the password is checked against. */
  hash?: string | null
  /** See `Caller`. */
  isFromOperator?: boolean
  /** The client's device. */
  device?: Device
  /** The method of the sign-in; undefined until it is complete. */
  signedInBy?: string
  /** Whether the account needs a second factor. */
  hasSecondFactor?: boolean
  /** The last error that the library logged. */
  failure?: Error | undefined
  /** The request's logger. */
  log?: Logger
  /** Whether the request is being repeated by us, and was counted already. */
  isRepeated?: boolean
}

export const signInInProgress = new AsyncLocalStorage<SignInAttempt>()

/** A person's password account. */
export const passwordAccount = (db: Db | Transaction<DB>, userId: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'password'])
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .where('password', 'is not', null)
    .executeTakeFirst()

/**
 * Whether somebody signed in with a hosted provider that is no longer configured. They can't sign in without it, so a link may
 * set their first password.
 */
export async function hasLostProvider(db: Db | Transaction<DB>, { oidc }: Pick<Config, 'oidc'>, userId: string) {
  if (oidc) return false
  const accounts = db.selectFrom('accounts').select('id').where('userId', '=', userId)
  return (await accounts.where('providerId', '=', PROVIDER).executeTakeFirst()) !== undefined
}

interface Change {
  userId: string
  sessionId: string
  /** Ends all sessions of the person except this one. */
  endsOtherSessions: boolean
  current: string
  next: string
  source: AuditSource
}

/** @throws AppError 400 if the current password is wrong, 409 `no_password` */
export async function replacePassword(db: Db, change: Change) {
  const { userId, sessionId, endsOtherSessions, current, next, source } = change
  const account = await passwordAccount(db, userId)
  const hash = account?.password
  if (!account || !hash) throw conflict('no_password', 'errors.noPassword')
  if (!(await verifyPassword({ hash, password: current }))) throw wrongPassword()
  const password = await hashPassword(next)
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ password, updatedAt: sql`clock_timestamp()` })
      .where('id', '=', account.id)
      .where('password', '=', hash)
      .executeTakeFirst()
    // It was changed concurrently.
    if (numUpdatedRows === 0n) throw wrongPassword()
    // The session may have ended while the passwords were hashed: a token outlives its session for a moment.
    const session = tx.selectFrom('sessions').select('id').where('id', '=', sessionId).where('userId', '=', userId)
    if (!(await session.forUpdate().executeTakeFirst())) throw unauthenticated()
    if (endsOtherSessions)
      await tx.deleteFrom('sessions').where('userId', '=', userId).where('id', '!=', sessionId).execute()
    await tx.deleteFrom('password_resets').where('userId', '=', userId).execute()
    await endChallenges(tx, userId)
    await writeAudit(tx, { kind: 'password_changed', actorId: userId, ...source })
  })
}

const wrongPassword = () => invalidField('current', 'errors.wrongPassword')
