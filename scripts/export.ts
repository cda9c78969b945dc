// Writes everything in the workspace into a ZIP, including private channels and direct messages. docs/running/export.md
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { writeAudit } from '../server/audit/write-audit.ts'
import { readFilesId } from '../server/channels/workspace.ts'
import { StartError } from '../server/config/start-error.ts'
import { openDatabase } from '../server/db/database.ts'
import { requireMigrated } from '../server/db/migrate.ts'
import { writeArchive } from '../server/exports/write-archive.ts'
import { createZip } from '../server/exports/zip.ts'
import { openStorage } from '../server/files/open-storage.ts'
import { createNameCache } from '../server/people/name-cache.ts'
import { openPostgres } from './open-postgres.ts'
import { runCommand } from './run-command.ts'

const NAMES_BYTES = 8 * 1024 * 1024

await runCommand({ all: { type: 'boolean' }, out: { type: 'string' } }, async (config, values) => {
  if (!values['all'])
    throw new StartError(
      'Add --all to export everything, also private channels and direct messages; --out=FILE names the archive. People export their own data in their settings.',
    )
  const out = String(values['out'] ?? `parley-${new Date().toISOString().slice(0, 10)}.zip`)
  const { url, stop } = await openPostgres(config)
  const { db } = openDatabase(url, { onError: console.error })
  try {
    await requireMigrated(db)
    await writeAudit(db, { kind: 'export_started', actorId: null, details: { scope: 'all' } })
    const storage = await openStorage(config, await readFilesId(db))
    const people = createNameCache(db, NAMES_BYTES)
    const zip = createZip()
    // An incomplete file has another name.
    const stored = pipeline(zip.stream, createWriteStream(`${out}.part`, { mode: 0o600 }))
    const written = writeArchive({
      db,
      storage,
      zip,
      scope: 'all',
      readerId: null,
      mayRead: async () => true,
      namesOf: (ids) => people.namesOf(ids),
      onProgress: async (messages, total) => {
        if (process.stdout.isTTY) process.stdout.write(`\r${messages} of ${total} messages`)
      },
    }).catch((error) => {
      zip.fail(error)
      throw error
    })
    await Promise.all([written, stored])
    await rename(`${out}.part`, out)
    console.log(`\nWritten: ${out}`)
  } finally {
    await db.destroy()
    await stop()
  }
})
