import pg from 'pg'
import { atEnd } from './cleanup.ts'
import { STATE_TIMEOUT_MS } from './timeouts.ts'

/** An open transaction of another client that has run some statements. */
export async function transaction(databaseUrl: string, ...statements: [text: string, values?: unknown[]][]) {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  let open = true
  const end = (how: 'commit' | 'rollback') => async () => {
    if (!open) return
    open = false
    await client.query(how)
    await client.end()
  }
  atEnd(() => end('rollback')().catch(() => {}))
  await client.query('begin')
  const run = (text: string, values: unknown[] = []) => client.query(text, values)
  for (const [text, values] of statements) await run(text, values)
  return { run, commit: end('commit'), rollback: end('rollback') }
}

/**
 * Blocks every commit that changes some tables, like a hanging disk or standby: the transaction is neither visible nor over. Its
 * client times out, and the commit completes on release.
 */
export async function holdCommits(databaseUrl: string, ...tables: string[]) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const triggers = tables.map(
    (table) => `
      drop trigger if exists held_commit on ${table};
      create constraint trigger held_commit after insert or update or delete on ${table}
        deferrable initially deferred for each row execute function held_commit();`,
  )
  await client.query(`
    create or replace function held_commit() returns trigger language plpgsql as $$
    begin
      while not pg_try_advisory_xact_lock_shared(hashtext('held_commit')) loop
        perform pg_sleep(0.02);
      end loop;
      return null;
    end $$;
    select pg_advisory_lock(hashtext('held_commit'));
    ${triggers.join('')}`)
  let open = true
  const release = async () => {
    if (!open) return
    open = false
    await client.query(`select pg_advisory_unlock(hashtext('held_commit'))`)
    await client.end()
  }
  atEnd(() => release().catch(() => {}))
  return { release }
}

/** Waits until a matching statement of another client is waiting for a lock. */
export async function untilLockWait(databaseUrl: string, like: string, unlike = '-') {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const end = Date.now() + STATE_TIMEOUT_MS; ; await new Promise((resolve) => setTimeout(resolve, 5))) {
      const { rows } = await client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like $1 and query not like $2`,
        [`%${like}%`, `%${unlike}%`],
      )
      if (rows.length > 0) return
      if (Date.now() > end) throw new Error(`nobody waits with ${like}`)
    }
  } finally {
    await client.end()
  }
}
