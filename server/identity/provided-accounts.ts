import type { Db } from '../db/database.ts'
import { isShortText } from './oidc-tokens.ts'

/**
 * Whether the provider's directory (SCIM) has created the account with this address for the person who signs in, that is, with
 * the same id. Then the address counts as verified, even if the provider never says so. Excludes admins, who must be safe from a
 * stolen SCIM token.
 */
export async function isProvided(db: Db, claims: Record<string, unknown>): Promise<boolean> {
  const { email, sub, oid } = claims
  // Entra ID has a subject per application, and the same `oid` in all of them.
  const ids = [sub, oid].filter(isShortText)
  if (typeof email !== 'string' || ids.length === 0) return false
  const found = await db
    .selectFrom('provided_people')
    .innerJoin('users', 'users.id', 'provided_people.userId')
    .select('users.id')
    .where('users.email', '=', email.toLowerCase())
    .where('externalId', 'in', ids)
    .where('deletedAt', 'is', null)
    .where('role', 'not in', ['owner', 'admin'])
    .executeTakeFirst()
  return found !== undefined
}
