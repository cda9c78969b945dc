// Restores a backup into an empty DATA_DIR or DATABASE_URL. docs/running/backup.md
import { findBackup, rowsOf } from '../../server/backup/manifest.ts'
import { countPeople, readFingerprint, readSecret, restoreBackup } from '../../server/backup/restore-backup.ts'
import { requireRoom } from '../../server/backup/room.ts'
import { findSecret, loadSecrets, storeSecrets } from '../../server/config/secrets.ts'
import { StartError } from '../../server/config/start-error.ts'
import { openDatabase } from '../../server/db/database.ts'
import { checkFingerprint } from '../../server/identity/secret-check.ts'
import { runCommand } from '../run-command.ts'
import { choosePlace, describeBytes, openAlone, requireWord, showProgress } from './command.ts'

const flags = { from: { type: 'string' }, replace: { type: 'boolean' }, yes: { type: 'boolean' } } as const

await runCommand(flags, async (config, values, name) => {
  const { place } = await choosePlace(config, 'from', values['from'])
  const manifest = await findBackup(place, name)
  await requireRoom(config, manifest)
  const given = config.secret ?? (await findSecret(config.dataDir))
  // Only if there is none yet.
  const saved = given === undefined ? await readSecret(place, manifest) : undefined
  const secret = given ?? saved
  // New secrets would not match the backup, and an embedded database created with them would not open with the right ones.
  if (secret === undefined)
    throw new StartError(
      `The secrets are not in this backup: put the saved secrets.json into ${config.dataDir}, or set SECRET to its "identity".`,
    )
  const fingerprint = await readFingerprint(place, manifest)
  if (fingerprint) await checkFingerprint(fingerprint, secret, config)
  if (saved) await storeSecrets(config.dataDir, saved)
  const secrets = await loadSecrets(config)
  const { url, stop } = await openAlone(config, secrets.database)
  const progress = showProgress()
  try {
    await requireEmpty(url, values)
    const missing = await restoreBackup({ databaseUrl: url, config, secret, place, manifest, ...progress })
    progress.end()
    const { files } = manifest
    console.log(
      `Restored ${manifest.name}: ${rowsOf(manifest, 'users') - 1} people, ${rowsOf(manifest, 'channels')} channels, ${rowsOf(manifest, 'messages')} messages, ${files?.count ?? 0} files (${describeBytes(files?.bytes ?? 0)}).`,
    )
    for (const key of missing.slice(0, 20)) console.log(`Gone before it could be backed up: ${key}`)
  } finally {
    await stop()
  }
})

async function requireEmpty(url: string, { replace, yes }: Record<string, string | boolean | undefined>) {
  const { db } = openDatabase(url, { onError: () => {}, max: 1, timeoutMs: 0 })
  const people = await countPeople(db).finally(() => db.destroy())
  if (people === 0) return
  if (!replace)
    throw new StartError(
      `There is a workspace already, with ${people} people. To delete it and restore the backup in its place, add --replace.`,
    )
  if (!yes) await requireWord(`The workspace with ${people} people that is there now will be deleted.`, 'replace')
}
