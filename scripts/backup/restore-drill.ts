// Restores a backup into a temporary folder, starts Parley on it, reads in it, and deletes it again. docs/running/backup.md
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findBackup, type Manifest } from '../../server/backup/manifest.ts'
import { describeSecret, requireSecretOf, restoreBackup } from '../../server/backup/restore-backup.ts'
import { requireDrillRoom } from '../../server/backup/room.ts'
import { findWithSecrets, readSecret, WrongPassphrase } from '../../server/backup/secrets-in-backup.ts'
import { type Config, readConfig } from '../../server/config/config.ts'
import { findSecret, loadSecrets, storeSecrets } from '../../server/config/secrets.ts'
import { StartError } from '../../server/config/start-error.ts'
import type { Storage } from '../../server/files/storage.ts'
import { ROOT } from '../../server/installation.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { listenForStop, runCommand } from '../run-command.ts'
import { tryParley } from '../trial.ts'
import { choosePlace, describeContent, describeOrigin, printMissing } from './command.ts'
import { makeDrillFolder, removeDrillFolder } from './drill-folder.ts'
import { chooseReader, readAs } from './drill-reader.ts'
import { askPassphrase } from './passphrase.ts'
import { showProgress } from './progress.ts'

await runCommand({ from: { type: 'string' }, in: { type: 'string' } }, async (config, values, name) => {
  const { place, where } = await choosePlace(config, 'from', values['from'])
  const manifest = await findBackup(place, name, where)
  const parent = resolve(typeof values['in'] === 'string' ? values['in'] : tmpdir())
  const secret = await findSecretFor(config, place, manifest)
  const { signal: stop } = listenForStop(() => console.log('Stopping, and deleting what was restored …'))
  const folder = await makeDrillFolder(parent)
  try {
    await requireDrillRoom(parent, manifest)
    await drill({ folder, place, manifest, secret, stop })
  } catch (error) {
    throw stop.aborted ? new StartError('The drill was stopped.') : error
  } finally {
    await removeDrillFolder(folder)
  }
  console.log('The drill is over: this backup can be restored. What it restored was deleted again.')
})

interface Drill {
  folder: string
  place: Storage
  manifest: Manifest
  secret: string
  stop: AbortSignal
}

async function drill({ folder, place, manifest, secret, stop }: Drill) {
  const dataDir = join(folder, 'data')
  console.log(`Restoring ${manifest.name}, ${describeOrigin(manifest)}, into ${folder} …`)
  let startedAt = performance.now()
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)
  const reader = await restoreInto(dataDir, { place, manifest, secret, stop })
  console.log(`Restored in ${seconds()} s: ${describeContent(manifest)}.`)
  startedAt = performance.now()
  await tryParley({ root: ROOT, folder, stop }, async (address) => {
    console.log(`Parley started on it in ${seconds()} s.`)
    console.log(typeof reader === 'string' ? reader : await readAs(reader, address))
  }).catch((error) => {
    throw new StartError(`The backup was restored, but Parley doesn't work with it: ${error.message}`)
  })
}

/** Restores into a new database. @returns somebody who can read the newest message, or why there is nobody */
async function restoreInto(dataDir: string, { place, manifest, secret, stop }: Omit<Drill, 'folder'>) {
  await storeSecrets(dataDir, secret)
  // Only these settings, so that files are restored into the folder, too.
  const config = readConfig({ DATA_DIR: dataDir })
  const { database: password } = await loadSecrets(config)
  const { url, stop: stopPostgres } = await startEmbeddedPostgres({ dataDir, password, log: () => {}, signal: stop })
  const abort = () => void stopPostgres()
  stop.addEventListener('abort', abort)
  const progress = showProgress()
  try {
    stop.throwIfAborted()
    const { onProgress } = progress
    const missing = await restoreBackup({ databaseUrl: url, config, secret, place, manifest, onProgress, signal: stop })
    progress.end()
    printMissing(missing)
    return await chooseReader(url, secret, missing)
  } finally {
    progress.end()
    stop.removeEventListener('abort', abort)
    await stopPostgres()
  }
}

/** The secret in the backup, if its passphrase is known, otherwise that of this machine. @throws StartError */
async function findSecretFor(config: Config, place: Storage, manifest: Manifest): Promise<string> {
  const own = config.secret ?? (await findSecret(config.dataDir))
  const isAsked = config.backup.passphrase !== undefined || own === undefined
  const saved = isAsked
    ? await readSecret(place, await findWithSecrets(place, manifest), () => askPassphrase(config)).catch((error) => {
        if (own === undefined || !(error instanceof WrongPassphrase)) throw error
        console.warn(`${error.message} Those of this machine are used instead.`)
        return undefined
      })
    : undefined
  const secret = saved ?? own
  if (secret === undefined)
    throw new StartError(
      `The secrets are neither in this backup nor in ${config.dataDir}: without them nobody can restore it. Set SECRET, or DATA_DIR to the folder with secrets.json.`,
    )
  await requireSecretOf(
    place,
    manifest,
    secret,
    saved === undefined ? describeSecret(config) : 'The secret in the backup',
  )
  return secret
}
