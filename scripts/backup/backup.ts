// Backs up the workspace of DATA_DIR or DATABASE_URL, even while Parley runs. docs/running/backup.md
import { makeBackup } from '../../server/backup/make-backup.ts'
import { describePlace } from '../../server/backup/place.ts'
import { readFilesId } from '../../server/channels/workspace.ts'
import { loadSecrets } from '../../server/config/secrets.ts'
import { StartError } from '../../server/config/start-error.ts'
import { openDatabase } from '../../server/db/database.ts'
import { requireMigrated } from '../../server/db/migrate.ts'
import { openStorage } from '../../server/files/open-storage.ts'
import { commandLine } from '../../server/installation.ts'
import { openPostgres } from '../open-postgres.ts'
import { listenForStop, runCommand } from '../run-command.ts'
import { choosePlace, describeContent, some } from './command.ts'
import { choosePassphrase } from './passphrase.ts'
import { showProgress } from './progress.ts'

await runCommand({ to: { type: 'string' }, 'with-secrets': { type: 'boolean' } }, async (config, values) => {
  const { place, where } = await choosePlace(config, 'to', values['to'])
  const isWithSecrets = values['with-secrets'] === true || config.backup.passphrase !== undefined
  const passphrase = isWithSecrets ? await choosePassphrase(config) : undefined
  const stopping = listenForStop()
  const { url, stop } = await openPostgres(config, stopping.signal)
  const { db } = openDatabase(url, { onError: console.error, timeoutMs: 0 })
  const progress = showProgress()
  const warnings: string[] = []
  const startedAt = performance.now()
  try {
    await requireMigrated(db)
    const storage = await openStorage(config, await readFilesId(db))
    const secrets = passphrase === undefined ? undefined : { ...(await loadSecrets(config)), passphrase }
    const manifest = await makeBackup({
      ...{ databaseUrl: url, db, storage, place, keep: config.backup.keep, secrets, onProgress: progress.onProgress },
      // Those to another place say nothing about the scheduled ones.
      isRegular: config.backup.place === undefined || where === describePlace(config.backup.place),
      signal: stopping.signal,
      onWarning: (sentence) => warnings.push(sentence),
    })
    progress.end()
    const seconds = Math.ceil((performance.now() - startedAt) / 1000)
    console.log(`Backed up ${describeContent(manifest)} in ${seconds} s: ${where}/backups/${manifest.name}`)
    const { missing } = manifest.files ?? {}
    if (missing)
      console.log(`The bytes of ${some(missing, 'file')} were gone: "${commandLine('verify-backup')}" lists them.`)
    for (const sentence of warnings) console.error(sentence)
    if (!secrets)
      console.log(
        'The secrets are not in it: keep secrets.json, or SECRET, elsewhere. BACKUP_PASSPHRASE includes them, encrypted.',
      )
  } catch (error) {
    progress.end()
    throw stopping.signal.aborted ? new StartError('Stopped.') : error
  } finally {
    await db.destroy()
    await stop()
  }
})
