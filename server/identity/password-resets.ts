import { hashPassword } from 'better-auth/crypto'
import { sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import { type AuditSource, writeAudit } from '../audit/write-audit.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { conflict, notFound } from '../errors.ts'
import { endChallenges } from './factors/challenges.ts'
import { endPasskeys } from './factors/passkeys.ts'
import { endTwoFactor } from './factors/two-factor.ts'
import { hasLostProvider, passwordAccount } from './passwords.ts'
import { hashOf, newLinkCode } from './sign-up-policy.ts'

const VALID_HOURS = 24
const CLAIM_HOURS = limits.imports.claimDays * 24

interface Creation {
  userId: string
  /** Null for the person who runs the server. */
  createdBy: string | null
  /** Whether the link also removes the second factor, for people who lost it. */
  endsSecondFactor?: boolean
  source: AuditSource
}

/**
 * Creates the code of a one-time link to set a new password. It replaces the person's earlier link.
 * @throws AppError 409 `no_password` if they sign in with the hosted provider
 */
export async function createPasswordReset(tx: Transaction<DB>, config: Pick<Config, 'oidc'>, creation: Creation) {
  const { userId } = creation
  if (!(await passwordAccount(tx, userId)) && !(await hasLostProvider(tx, config, userId)))
    throw conflict('no_password', 'errors.noPasswordToReset')
  return createLink(tx, creation, VALID_HOURS)
}

/**
 * Creates the code of a one-time link for an imported person to set their first password.
 * @throws AppError 404 if nobody unclaimed has this id
 */
export async function createClaim(tx: Transaction<DB>, creation: Creation) {
  const unclaimed = await tx
    .selectFrom('imported_people')
    .innerJoin('users', 'users.id', 'imported_people.userId')
    .select('userId')
    .where('userId', '=', creation.userId)
    .where('claimedAt', 'is', null)
    .where('isBot', '=', false)
    .where('deactivatedAt', 'is', null)
    .executeTakeFirst()
  if (!unclaimed) throw notFound('errors.nobodyToClaim')
  return createLink(tx, creation, CLAIM_HOURS)
}

async function createLink(
  tx: Transaction<DB>,
  { userId, createdBy, endsSecondFactor = false, source }: Creation,
  hours: number,
) {
  const code = newLinkCode()
  const link = {
    codeHash: hashOf(code),
    createdBy,
    endsSecondFactor,
    expiresAt: sql<string>`clock_timestamp() + make_interval(hours => ${hours})`,
  }
  const { expiresAt } = await tx
    .insertInto('password_resets')
    .values({ userId, ...link })
    .onConflict((it) => it.column('userId').doUpdateSet(link))
    .returning('expiresAt')
    .executeTakeFirstOrThrow()
  const details = endsSecondFactor ? { endsSecondFactor } : {}
  await writeAudit(tx, { kind: 'password_link_created', actorId: createdBy, personId: userId, details, ...source })
  return { code, expiresAt }
}

/** The person whose password a link sets, whether created by an admin or mailed; undefined if it has expired or was used. */
export const personOfReset = (db: Db | Transaction<DB>, code: string) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('password_resets')
        .select(['userId', 'codeHash', 'expiresAt', 'createdBy', 'endsSecondFactor'])
        .select(sql<boolean>`false`.as('isMailed'))
        .unionAll(
          from
            .selectFrom('mail_links')
            .where('kind', '=', 'password')
            .select(['userId', 'codeHash', 'expiresAt'])
            // Reading somebody's mail is one factor, and can't replace both.
            .select([
              sql<string | null>`null`.as('createdBy'),
              sql<boolean>`false`.as('endsSecondFactor'),
              sql<boolean>`true`.as('isMailed'),
            ]),
        )
        .as('links'),
    )
    .innerJoin('users', 'users.id', 'links.userId')
    .select(['users.id', 'users.username', 'createdBy', 'endsSecondFactor', 'isMailed'])
    .where('codeHash', '=', hashOf(code))
    .where('expiresAt', '>', sql<string>`clock_timestamp()`)
    .where('users.deactivatedAt', 'is', null)
    .executeTakeFirst()

/** @returns whether the link still existed: of two concurrent uses, one succeeds */
async function useUp(tx: Transaction<DB>, code: string) {
  const used = [
    await tx.deleteFrom('password_resets').where('codeHash', '=', hashOf(code)).executeTakeFirst(),
    await tx.deleteFrom('mail_links').where('codeHash', '=', hashOf(code)).executeTakeFirst(),
  ]
  return used.some(({ numDeletedRows }) => numDeletedRows > 0n)
}

interface FirstPassword {
  userId: string
  password: string
}

/**
 * Sets the first password of an imported person, or of somebody whose hosted provider is gone.
 * @throws AppError 404 if they can sign in another way
 */
async function addPassword(tx: Transaction<DB>, config: Pick<Config, 'oidc'>, { userId, password }: FirstPassword) {
  const unclaimed = await tx
    .selectFrom('imported_people')
    .select('userId')
    .where('userId', '=', userId)
    .where('claimedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!unclaimed && !(await hasLostProvider(tx, config, userId))) throw notFound('errors.passwordLinkEnded')
  await tx
    .insertInto('accounts')
    .values({ id: newId(), userId, accountId: userId, providerId: 'credential', password })
    .execute()
}

/** Sets a password by the code of a link, once, and ends all sessions. @throws AppError 404 if the link has ended */
export async function resetPassword(
  { db, config }: { db: Db; config: Pick<Config, 'oidc'> },
  { code, next, source }: { code: string; next: string; source: AuditSource },
) {
  // Hashing is slow: don't do it for guessed codes, nor within the transaction.
  if (!(await personOfReset(db, code))) throw notFound('errors.passwordLinkEnded')
  const password = await hashPassword(next)
  return db.transaction().execute(async (tx) => {
    const person = await personOfReset(tx, code)
    if (!(await useUp(tx, code)) || !person) throw notFound('errors.passwordLinkEnded')
    const { id, username, createdBy, endsSecondFactor, isMailed } = person
    // A mailed link proves access to the address.
    if (isMailed) await tx.updateTable('users').set({ emailVerified: true }).where('id', '=', id).execute()
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({ password, updatedAt: sql`clock_timestamp()` })
      .where('userId', '=', id)
      .where('providerId', '=', 'credential')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) await addPassword(tx, config, { userId: id, password })
    await tx.deleteFrom('sessions').where('userId', '=', id).execute()
    await endChallenges(tx, id)
    if (endsSecondFactor) {
      const ended = [await endTwoFactor(tx, id), await endPasskeys(tx, id)]
      if (ended.includes(true))
        await writeAudit(tx, { kind: 'two_factor_removed', actorId: createdBy, personId: id, ...source })
    }
    await writeAudit(tx, { kind: 'password_reset', actorId: id, ...source })
    return { username }
  })
}
