import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Makes leaked tokens recognizable. */
const PREFIX = 'scim_'
const MAX_CHARACTERS = 200

export const newToken = () => PREFIX + randomBytes(32).toString('base64url')

/** Tokens are stored only as hashes. */
export const tokenHash = (token: string) => createHash('sha256').update(token).digest('hex')

/** The valid token of an `authorization` header; undefined for any other. Records its use at most once a minute. */
export async function findToken(db: Db, authorization = '') {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (!token.startsWith(PREFIX) || token.length > MAX_CHARACTERS) return undefined
  const found = await db
    .selectFrom('provisioning_tokens')
    .select(['id', 'name'])
    .where('tokenHash', '=', tokenHash(token))
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  if (found)
    await db
      .updateTable('provisioning_tokens')
      .set({ lastUsedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', found.id)
      .where(sql<boolean>`coalesce("lastUsedAt" < clock_timestamp() - interval '1 minute', true)`)
      .execute()
  return found
}
