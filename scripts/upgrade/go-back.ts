// Makes the database usable for this version again, after a newer one was tried that did not get ready: usually it is, and otherwise
// the snapshot that it took before its migrations is restored, unless anything was written since.
import { requireNoNodes } from '../../server/backup/load-database.ts'
import { listBackups, type Manifest, readManifest } from '../../server/backup/manifest.ts'
import { countLosses, rollBack } from '../../server/backup/roll-back.ts'
import { openSnapshots } from '../../server/backup/snapshots.ts'
import type { Config } from '../../server/config/config.ts'
import { loadSecrets } from '../../server/config/secrets.ts'
import { StartError } from '../../server/config/start-error.ts'
import { type Db, openDatabase } from '../../server/db/database.ts'
import { checkFloor, readChanges, readExecuted } from '../../server/db/migrate.ts'
import type { Storage } from '../../server/files/storage.ts'
import { commandLine } from '../../server/installation.ts'
import { openAlone } from '../backup/command.ts'
import { hasWorkspace } from '../open-postgres.ts'
import { runCommand } from '../run-command.ts'

await runCommand({}, async (config, _, since = '') => {
  if (!hasWorkspace(config)) return
  const secrets = await loadSecrets(config)
  const { url, stop } = await openAlone(config, secrets.database)
  const { db } = openDatabase(url, { onError: () => {}, max: 1, timeoutMs: 0 })
  try {
    if (await isUsable(db)) return
    const manifest = await findUnchanged(config, db, since)
    await db.destroy()
    console.log(`Restoring the database as it was before the upgrade (${manifest.madeAt}) …`)
    await rollBack({ databaseUrl: url, place: openSnapshots(config), manifest })
  } finally {
    await stop()
  }
})

async function isUsable(db: Db): Promise<boolean> {
  return checkFloor(db, await readChanges(), await readExecuted(db)).then(
    () => true,
    () => false,
  )
}

/**
 * The snapshot of the upgrade.
 * @param since when the upgrade began (ISO 8601)
 * @throws StartError if there is none, something was written since, or other nodes use the database
 */
async function findUnchanged(config: Config, db: Db, since: string) {
  await requireNoNodes(db)
  const manifest = await findUsable(openSnapshots(config))
  if (!manifest || !(manifest.madeAt > since))
    throw new StartError(
      "The database can't be used by this version any more, and the upgrade took no snapshot of it. Restore a backup, or mend the newer version.",
    )
  const lost = Object.entries(await countLosses(db, manifest)).filter(([, count]) => count > 0)
  if (lost.length === 0) return manifest
  throw new StartError(
    `The database can't be used by this version any more. "${commandLine('rollback')}" restores it as of ${manifest.madeAt}, but deletes what was written since: ${lost.map(([what, count]) => `${count} ${what}`).join(', ')}.`,
  )
}

/** The newest snapshot whose migrations this version knows: others were taken in the middle of an upgrade. */
async function findUsable(place: Storage): Promise<Manifest | undefined> {
  const changes = await readChanges()
  for (const { name } of (await listBackups(place)).reverse()) {
    const manifest = await readManifest(place, name).catch(() => undefined)
    if (manifest?.migrations.every((change) => change in changes)) return manifest
  }
  return undefined
}
