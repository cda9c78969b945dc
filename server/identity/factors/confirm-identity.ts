import { verifyPassword } from 'better-auth/crypto'
import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import { freshSignInNeeded, invalidField } from '../../errors.ts'
import { passwordAccount } from '../passwords.ts'
import { countOwnAttempt } from '../sign-in-guard.ts'

const FRESH_MINUTES = 10

interface Confirmation {
  userId: string
  sessionId: string
  password: string | undefined
}

/**
 * Confirms somebody's identity before an irreversible action: by password, or by a session that has just begun if they sign in
 * only with a provider.
 * @throws AppError 400 for a wrong password, 403 `fresh_sign_in_needed`, 429
 */
export async function confirmIdentity(app: { config: Config; db: Db }, { userId, sessionId, password }: Confirmation) {
  await countOwnAttempt(app, userId)
  const hash = (await passwordAccount(app.db, userId))?.password
  if (hash) {
    if (await verifyPassword({ hash, password: password ?? '' })) return
    throw invalidField('password', 'errors.wrongPassword')
  }
  const fresh = await app.db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .where('createdAt', '>', sql<string>`clock_timestamp() - make_interval(mins => ${FRESH_MINUTES})`)
    .executeTakeFirst()
  if (!fresh) throw freshSignInNeeded()
}
