import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { HostedSignIn } from './oidc.ts'
import type { ProviderLogout } from './oidc-tokens.ts'

/** Longer than a token is accepted, and than a sign-in takes. */
const REMEMBERED_MINUTES = 15

/** Sign-ins wait for a logout in progress, so that they see it. */
const LOCK = sql`select pg_advisory_xact_lock(hashtext('provider logout'))`
const SHARED_LOCK = sql`select pg_advisory_xact_lock_shared(hashtext('provider logout'))`

/**
 * Whether the provider has ended the session of a sign-in during the sign-in. Call it once our session is stored: a later logout
 * finds that.
 * @param signIn undefined for one with a password
 */
export async function wasEndedThere(db: Db, signIn: HostedSignIn | undefined): Promise<boolean> {
  if (!signIn) return false
  const { accountId, sid, begunAt, issuedAt } = signIn
  return db.transaction().execute(async (tx) => {
    await SHARED_LOCK.execute(tx)
    // `issuedAt` alone, in whole seconds, would refuse people who sign in again immediately.
    const isDuring = sql<boolean>`"receivedAt" >= ${begunAt}::timestamptz and "issuedAt" >= to_timestamp(${issuedAt}::float8)`
    const logout = tx
      .selectFrom('logout_tokens')
      .select('id')
      .where((row) =>
        row.or([
          row('sid', '=', sid).and(row.or([row('accountId', 'is', null), row('accountId', '=', accountId)])),
          row('accountId', '=', accountId)
            .and(isDuring)
            .and(sid === null ? row.lit(true) : row('sid', 'is', null)),
        ]),
      )
    return (await logout.executeTakeFirst()) !== undefined
  })
}

/**
 * Ends the sessions that belong to a session ended at the provider. Every node closes their sockets.
 * @returns the ended sessions by user; undefined for a token that was used before
 */
export async function endSessions(db: Db, { id, accountId, sid, issuedAt }: ProviderLogout) {
  return db.transaction().execute(async (tx) => {
    await LOCK.execute(tx)
    await tx.deleteFrom('logout_tokens').where('expiresAt', '<', sql<string>`clock_timestamp()`).execute()
    const first = await tx
      .insertInto('logout_tokens')
      .values({
        id,
        accountId: accountId ?? null,
        sid: sid ?? null,
        issuedAt: sql<string>`to_timestamp(${issuedAt}::float8)`,
        receivedAt: sql<string>`clock_timestamp()`,
        expiresAt: sql<string>`clock_timestamp() + make_interval(mins => ${REMEMBERED_MINUTES})`,
      })
      .onConflict((row) => row.doNothing())
      .executeTakeFirst()
    if (first.numInsertedOrUpdatedRows === 0n) return undefined
    let theirs = tx.deleteFrom('sessions').where('providerToken', 'is not', null)
    if (accountId !== undefined) {
      const account = tx.selectFrom('accounts').select('userId').where('accountId', '=', accountId)
      theirs = theirs.where('userId', 'in', account.where('providerId', '=', 'oidc'))
    }
    // If the person is named, include sessions from before Parley stored the provider's session.
    if (sid !== undefined)
      theirs = theirs.where((row) =>
        row.or([row('providerSid', '=', sid), ...(accountId === undefined ? [] : [row('providerSid', 'is', null)])]),
      )
    const ended = await theirs.returning('userId').execute()
    return Map.groupBy(ended, ({ userId }) => userId)
  })
}
