import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { HostedSignIn } from './oidc.ts'
import type { ProviderLogout } from './oidc-tokens.ts'

/** As long a token is remembered, which is longer than one is accepted, or a sign-in takes. */
const REMEMBERED_MINUTES = 15

/** Sign-ins wait for a logout that is under way, and see it. */
const LOCK = sql`select pg_advisory_xact_lock(hashtext('provider logout'))`
const SHARED_LOCK = sql`select pg_advisory_xact_lock_shared(hashtext('provider logout'))`

/**
 * Whether the provider has ended the session of a sign-in while that was under way. Call it once the sign-in's session is
 * stored: a later logout finds that.
 * @param signIn undefined for one with a password
 */
export async function wasEndedThere(db: Db, signIn: HostedSignIn | undefined): Promise<boolean> {
  if (!signIn) return false
  const { accountId, sid, begunAt, issuedAt } = signIn
  return db.transaction().execute(async (tx) => {
    await SHARED_LOCK.execute(tx)
    // A time in whole seconds alone would refuse whoever signs in again at once.
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
 * Ends the sessions that began with a session of the provider that has ended there. Every node closes their sockets.
 * @returns whose they were; undefined for a token that was used before
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
    // Of somebody who is named, those that began before Parley stored the provider's session count as well.
    if (sid !== undefined)
      theirs = theirs.where((row) =>
        row.or([row('providerSid', '=', sid), ...(accountId === undefined ? [] : [row('providerSid', 'is', null)])]),
      )
    const ended = await theirs.returning('userId').execute()
    return Map.groupBy(ended, ({ userId }) => userId)
  })
}
