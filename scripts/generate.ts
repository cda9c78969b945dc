// Writes server/db/schema.ts, the row types, from a migrated database. With --check, only reports whether it is stale.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../server/db/database.ts'
import { migrate } from '../server/db/migrate.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { run } from './run-node.mjs'

// Ctrl-C stops the child processes, after which this one cleans up.
process.on('SIGINT', () => {})

const check = process.argv.includes('--check')
const dataDir = await mkdtemp(join(tmpdir(), 'parley-generate-'))
const postgres = await startEmbeddedPostgres({ dataDir, password: 'generate', log: console.log })
try {
  const { db } = openDatabase(postgres.url, { onError: console.error })
  await migrate(db)
  await db.destroy()
  process.exitCode = await run([
    'node_modules/kysely-codegen/dist/cli/bin.js',
    '--dialect=postgres',
    `--url=${postgres.url}`,
    '--out-file=server/db/schema.ts',
    '--exclude-pattern=public.migrations*',
    // As parsed in database.ts.
    '--type-mapping={"timestamptz":"string","int8":"number"}',
    '--log-level=error',
    ...(check ? ['--verify'] : []),
  ])
  if (check && process.exitCode !== 0) console.error('server/db/schema.ts is stale: run `npm run generate`.')
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
