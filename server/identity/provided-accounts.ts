import type { Db } from '../db/database.ts'
import { isShortText } from './oidc-tokens.ts'

/**
 * Whether the provider's directory has made (SCIM) the account with this address for the very person who signs in: its id for
 * them is in both. Then the address is theirs, although some providers never say that they verified it. Not for admins, whom
 * a stolen token must not reach.
 */
export async function isProvided(db: Db, claims: Record<string, unknown>): Promise<boolean> {
  const { email, sub, oid } = claims
  // Entra ID has a subject for each application, and the same `oid` everywhere.
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
