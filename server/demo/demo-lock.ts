import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { conflict } from '../errors.ts'

/**
 * Fills or empties the demo, on one node at a time. If the node dies meanwhile, its connection ends and the lock with it.
 * @param act gets the transaction of the lock: what it changes shows once the lock is free
 * @throws AppError 409 `demo_busy`
 */
export const withDemoLock = <Result>(db: Db, act: (lock: Transaction<DB>) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    // It stays open for as long as the work takes.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('demo')) as "isMine"`.execute(tx)
    if (!rows[0]?.isMine) throw conflict('demo_busy', 'errors.demoBusy')
    return act(tx)
  })
