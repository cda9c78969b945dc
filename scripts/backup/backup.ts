// Backs up the workspace of DATA_DIR or DATABASE_URL, even while Parley runs. docs/running/backup.md
import { makeBackup } from '../../server/backup/make-backup.ts'
import { rowsOf } from '../../server/backup/manifest.ts'
import { readFilesId } from '../../server/channels/workspace.ts'
import { loadSecrets } from '../../server/config/secrets.ts'
import { openDatabase } from '../../server/db/database.ts'
import { requireMigrated } from '../../server/db/migrate.ts'
import { openStorage } from '../../server/files/open-storage.ts'
import { commandLine } from '../../server/installation.ts'
import { openPostgres } from '../open-postgres.ts'
import { runCommand } from '../run-command.ts'
import { choosePlace, describeBytes, showProgress } from './command.ts'

await runCommand({ to: { type: 'string' }, 'with-secrets': { type: 'boolean' } }, async (config, values) => {
  const { place, where } = await choosePlace(config, 'to', values['to'])
  const { url, stop } = await openPostgres(config)
  const { db } = openDatabase(url, { onError: console.error, timeoutMs: 0 })
  const progress = showProgress()
  const warnings: string[] = []
  try {
    await requireMigrated(db)
    const storage = await openStorage(config, await readFilesId(db))
    const secret = values['with-secrets'] ? (await loadSecrets(config)).identity : undefined
    const manifest = await makeBackup({
      ...{ databaseUrl: url, db, storage, place, keep: config.backup.keep, secret },
      ...progress,
      onWarning: (sentence) => warnings.push(sentence),
    })
    progress.end()
    const { files } = manifest
    console.log(
      `Backed up: ${rowsOf(manifest, 'messages')} messages, ${files?.count} files (${describeBytes(files?.bytes ?? 0)}). ${where}/backups/${manifest.name}`,
    )
    if (files?.missing)
      console.log(`The bytes of ${files.missing} files were gone: "${commandLine('verify')}" lists them.`)
    for (const sentence of warnings) console.error(sentence)
    if (!secret) console.log('The secrets are not in it: keep secrets.json, or SECRET, elsewhere.')
  } finally {
    await db.destroy()
    await stop()
  }
})
