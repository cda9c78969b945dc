import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { longTest } from '../test/support/long.ts'
import { openWriterFixture } from '../test/support/writer-fixture.ts'
import { openDisk } from './disk.ts'
import { storageKeyOf } from './storage.ts'
import { claimOrphanScan, sweepOnce } from './sweep-files.ts'

/** The most rows that one transaction may change or delete. */
const MAX_ROWS = 1000
const FILES = 2500
/** How many of those have bytes. */
const STORED = 50

let ledger: Awaited<ReturnType<typeof openWriterFixture>>
let folder: string

beforeAll(async () => {
  ledger = await openWriterFixture()
  folder = await mkdtemp(join(tmpdir(), 'parley-sweep-'))
  atEnd(() => rm(folder, { recursive: true }))
})

longTest('two nodes sweep many files in small transactions, leaving nothing behind', async () => {
  const { db } = ledger
  const [uploader] = await ledger.addPeople('ada')
  await sql`
    insert into files (id, "userId", name, "touchedAt")
    select gen_random_uuid(), ${uploader}, 'x', '2020-01-01' from generate_series(1, ${sql.lit(FILES)})`.execute(db)
  await sql`
    create table swept (operation text, "transaction" xid8);
    create function note_swept() returns trigger language plpgsql as $$
    begin
      insert into swept values (tg_op, pg_current_xact_id());
      return null;
    end $$;
    create trigger note_swept after update or delete on files for each row execute function note_swept()`.execute(db)
  const storage = openDisk(folder, 'workspace')
  for (const { id } of await db.selectFrom('files').select('id').limit(STORED).execute())
    await storage.write(storageKeyOf(id), Readable.from(['bytes']))

  const nodes = [ledger.openWriter(), ledger.openWriter()]
  await Promise.all(
    nodes.map(async (node) => {
      while (await sweepOnce(node.db, storage));
    }),
  )
  const { rows } = await sql<{ operation: string; total: number; largest: number }>`
    select operation, sum(rows)::integer as total, max(rows)::integer as largest
    from (select operation, count(*) as rows from swept group by operation, "transaction") each
    group by operation order by operation`.execute(db)
  expect(rows.map(({ operation, total }) => [operation, total])).toEqual([
    ['DELETE', FILES],
    ['UPDATE', FILES],
  ])
  for (const { operation, largest } of rows) expect(largest, operation).toBeLessThanOrEqual(MAX_ROWS)
  expect(await db.selectFrom('files').select('id').execute()).toEqual([])
  for await (const { key } of storage.list()) expect.unreachable(key)
})

test('once a day, only one node scans for orphaned bytes', async () => {
  const nodes = [ledger.openWriter(), ledger.openWriter(), ledger.openWriter()]
  const claims = async () => {
    const claimed = await Promise.all(nodes.map(({ db }) => claimOrphanScan(db)))
    return claimed.filter(Boolean).length
  }
  expect(await claims()).toBe(1)
  expect(await claims()).toBe(0)
  const setLastScan = (ago: string) => sql`update workspace set "orphansScannedAt" = now() - ${ago}::interval`
  await setLastScan('23 hours').execute(ledger.db)
  expect(await claims()).toBe(0)
  await setLastScan('24 hours').execute(ledger.db)
  expect(await claims()).toBe(1)
})
