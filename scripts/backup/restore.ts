// Restores a backup into an empty DATA_DIR or DATABASE_URL. docs/running/backup.md
import { requireNoNodes } from '../../server/backup/load-database.ts'
import { findBackup } from '../../server/backup/manifest.ts'
import { requireOwnDatabase } from '../../server/backup/own-database.ts'
import { countPeople, describeSecret, requireSecretOf, restoreBackup } from '../../server/backup/restore-backup.ts'
import { requireRoom } from '../../server/backup/room.ts'
import { findWithSecrets, readSecret } from '../../server/backup/secrets-in-backup.ts'
import { readFilesId } from '../../server/channels/workspace.ts'
import type { Config } from '../../server/config/config.ts'
import { findSecret, loadSecrets, storeSecrets } from '../../server/config/secrets.ts'
import { StartError } from '../../server/config/start-error.ts'
import { type Db, noneIfMissing, openDatabase } from '../../server/db/database.ts'
import { runCommand } from '../run-command.ts'
import { choosePlace, describeContent, describeOrigin, openAlone, printMissing, requireWord, some } from './command.ts'
import { askPassphrase } from './passphrase.ts'
import { showProgress } from './progress.ts'

const flags = { from: { type: 'string' }, replace: { type: 'boolean' }, yes: { type: 'boolean' } } as const

await runCommand(flags, async (config, values, name) => {
  const { place, where } = await choosePlace(config, 'from', values['from'])
  const manifest = await findBackup(place, name, where)
  await requireRoom(config, manifest)
  const given = config.secret ?? (await findSecret(config.dataDir))
  // Only if there is none yet.
  const saved =
    given === undefined
      ? await readSecret(place, await findWithSecrets(place, manifest), () => askPassphrase(config))
      : undefined
  const secret = given ?? saved
  // New secrets would not match the backup, and an embedded database created with them would not open with the right ones.
  if (secret === undefined)
    throw new StartError(
      `The secrets are not in this backup: put the saved secrets.json into ${config.dataDir}, or set SECRET to its "identity".`,
    )
  const which = saved === undefined ? describeSecret(config) : 'The secret in the backup'
  await requireSecretOf(place, manifest, secret, which).catch((error) => {
    // Parley has been started here before, and made its own.
    if (config.secret || saved || !manifest.secrets) throw error
    throw new StartError(
      `${which} is not the secret of the workspace of this backup. The backup has it: restore it with an empty DATA_DIR.`,
    )
  })
  if (saved) await storeSecrets(config.dataDir, saved)
  const secrets = await loadSecrets(config)
  const progress = showProgress()
  const { url, stop } = await openAlone(config, secrets.database, () => {
    progress.end()
    console.log('Stopping: a restore that is not complete leaves the database as it was.')
  })
  try {
    const replaced = await requireEmpty(url, values)
    const missing = await restoreBackup({
      databaseUrl: url,
      config,
      secret,
      place,
      manifest,
      onProgress: progress.onProgress,
    })
    progress.end()
    console.log(`Restored ${manifest.name}, ${describeOrigin(manifest)}: ${describeContent(manifest)}.`)
    printMissing(missing)
    if (replaced !== undefined && replaced !== manifest.filesId) console.log(describeOldFiles(config, replaced))
  } finally {
    progress.end()
    await stop()
  }
})

/** The files of another workspace are left alone: one beside it may use them. */
function describeOldFiles({ s3, dataDir }: Config, filesId: string) {
  const folder = `${s3 ? `s3://${s3.bucket}` : `${dataDir}/files`}/${filesId}`
  return `The files of the workspace that was there are still in ${folder}: delete them if nobody needs them.`
}

/**
 * @returns which files the workspace has that is to be replaced; undefined if there is none
 * @throws StartError
 */
async function requireEmpty(url: string, { replace, yes }: Record<string, string | boolean | undefined>) {
  const { db } = openDatabase(url, { onError: () => {}, max: 1, timeoutMs: 0 })
  const { count, filesId } = await readOccupant(db).finally(() => db.destroy())
  if (count === 0) return undefined
  const people = some(count, 'person', 'people')
  if (!replace)
    throw new StartError(
      `There is a workspace already, with ${people}. To delete it and restore the backup in its place, add --replace.`,
    )
  if (!yes) await requireWord(`The workspace with ${people} that is there now will be deleted.`, 'replace')
  return filesId
}

async function readOccupant(db: Db) {
  await requireNoNodes(db)
  await requireOwnDatabase(db)
  return { count: await countPeople(db), filesId: await noneIfMissing(readFilesId(db)) }
}
