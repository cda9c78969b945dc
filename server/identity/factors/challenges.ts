import { sql, type Transaction } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { DB } from '../../db/schema.ts'
import { refusal } from '../identity-refusal.ts'

/** The person who has given their password but not the second factor, by the signed cookie that the library set. */
export const challengedPerson = (db: Db, identifier: string) =>
  db
    .selectFrom('verifications')
    .innerJoin('users', 'users.id', 'verifications.value')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.userId', '=', 'users.id').on('accounts.providerId', '=', 'credential'),
    )
    .select(['users.id', 'accounts.password'])
    .where('identifier', '=', identifier)
    .executeTakeFirst()

/** Ends somebody's sign-ins that wait for a second factor. Call it when their password changes. */
export const endChallenges = (tx: Transaction<DB>, userId: string) =>
  tx.deleteFrom('verifications').where('value', '=', userId).where('identifier', 'like', '2fa-%').execute()

interface PasskeyUse {
  verification: { authenticationInfo: { credentialID: string; userVerified: boolean } }
}

/** A passkey counts as two factors only if its device has verified the user. */
export async function notePasskeyUse(db: Db, { verification }: PasskeyUse) {
  const { credentialID, userVerified } = verification.authenticationInfo
  if (!userVerified) throw refusal('UNAUTHORIZED', 'PASSKEY_REFUSED', 'errors.passkeyRefused')
  const lastUsedAt = sql<string>`clock_timestamp()`
  await db.updateTable('passkeys').set({ lastUsedAt }).where('credentialID', '=', credentialID).execute()
}

/** The owner of a passkey. */
export const passkeyOwner = (db: Db, credentialID: string) =>
  db.selectFrom('passkeys').select('userId').where('credentialID', '=', credentialID).executeTakeFirst()

/** Normalizes a typed code to its stored form: case and punctuation don't matter. */
export function readRecoveryCode(typed: string): string {
  const letters = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}
