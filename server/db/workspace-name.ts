import type { Kysely, Transaction } from 'kysely'
import type { DB } from './schema.ts'

/** What a workspace is called until it is named. */
export const PRODUCT = 'Parley'

/** What the workspace is called, everywhere that people see it. */
export async function readWorkspaceName(db: Kysely<DB> | Transaction<DB>): Promise<string> {
  return (await db.selectFrom('workspace').select('name').executeTakeFirstOrThrow()).name
}
