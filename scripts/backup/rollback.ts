// Restores the database from before the last upgrade. docs/running/upgrading.md
import { requireNoNodes } from '../../server/backup/load-database.ts'
import { findBackup } from '../../server/backup/manifest.ts'
import { countLosses, rollBack } from '../../server/backup/roll-back.ts'
import { requireRoom } from '../../server/backup/room.ts'
import { openSnapshots } from '../../server/backup/snapshots.ts'
import { loadSecrets } from '../../server/config/secrets.ts'
import { StartError } from '../../server/config/start-error.ts'
import { openDatabase } from '../../server/db/database.ts'
import { runCommand } from '../run-command.ts'
import { openAlone, requireWord, showProgress } from './command.ts'

await runCommand({ yes: { type: 'boolean' } }, async (config, { yes }, name) => {
  const place = openSnapshots(config)
  const manifest = await findBackup(place, name).catch((error) => {
    const isNone = error instanceof StartError && error.message.startsWith('There is no backup in')
    throw isNone ? new StartError(`There is no snapshot in ${config.dataDir}/snapshots.`) : error
  })
  await requireRoom(config, manifest)
  const secrets = await loadSecrets(config)
  const { url, stop } = await openAlone(config, secrets.database)
  const { db } = openDatabase(url, { onError: () => {}, max: 1, timeoutMs: 0 })
  try {
    await requireNoNodes(db)
    const lost = await countLosses(db, manifest)
    await db.destroy()
    console.log(
      `Going back to ${manifest.madeAt} (${manifest.migrations.at(-1)}) deletes what was written since: ${lost.messages} messages, ${lost.edits} changes of older messages, ${lost.people} people, ${lost.channels} channels, ${lost.files} files.`,
    )
    if (!yes) await requireWord('Everything since then will be deleted.', 'rollback')
    const progress = showProgress()
    await rollBack({ databaseUrl: url, place, manifest, onTable: progress.onTable })
    progress.end()
    console.log('Done. Now start the version of Parley that you had before: the present one would migrate it again.')
  } finally {
    await stop()
  }
})
