// Restores the database from before the last upgrade. docs/running/upgrading.md
import { requireNoNodes } from '../../server/backup/load-database.ts'
import { findBackup, type Manifest } from '../../server/backup/manifest.ts'
import {
  countLosses,
  type GivenUp,
  type Losses,
  readGivenUp,
  requireSameWorkspace,
  rollBack,
} from '../../server/backup/roll-back.ts'
import { requireRoom } from '../../server/backup/room.ts'
import { openSnapshots } from '../../server/backup/snapshots.ts'
import { loadSecrets } from '../../server/config/secrets.ts'
import { StartError } from '../../server/config/start-error.ts'
import { openDatabase } from '../../server/db/database.ts'
import { commandLine, HOME } from '../../server/installation.ts'
import { runCommand } from '../run-command.ts'
import { labelOf, readVersions } from '../upgrade/versions.mjs'
import { describeTime, openAlone, requireWord, some } from './command.ts'
import { showProgress } from './progress.ts'

await runCommand({ yes: { type: 'boolean' } }, async (config, { yes }, name) => {
  const place = openSnapshots(config)
  const manifest = await findBackup(place, name, `${config.dataDir}/snapshots`).catch((error) => {
    throw error instanceof StartError
      ? new StartError(error.message.replaceAll(/(?<= )backup(?=[ .])/g, 'snapshot'))
      : error
  })
  await requireRoom(config, manifest)
  const secrets = await loadSecrets(config)
  const { url, stop } = await openAlone(config, secrets.database)
  const { db } = openDatabase(url, { onError: () => {}, max: 1, timeoutMs: 0 })
  const progress = showProgress()
  try {
    await requireNoNodes(db)
    await requireSameWorkspace(db, manifest)
    const lost = await countLosses(db, manifest)
    const givenUp = await readGivenUp(db, manifest)
    await db.destroy()
    console.log(`Going back to ${describeState(manifest)} undoes everything since${describeLosses(lost)}.`)
    if (!yes) await requireWord('Everything since then will be deleted.', 'rollback')
    await rollBack({ databaseUrl: url, place, manifest, givenUp, onProgress: progress.onProgress })
    progress.end()
    console.log(`Done. ${describeNext(manifest)}${describeGivenUp(givenUp)}`)
  } finally {
    progress.end()
    await stop()
  }
})

function describeState({ madeAt, version, migrations }: Manifest): string {
  return `${describeTime(madeAt)} (${version ? `Parley ${version}` : migrations.at(-1)})`
}

function describeLosses({ messages, edits, people, channels, files, changes }: Losses): string {
  const parts = [
    messages > 0 && some(messages, 'message'),
    edits > 0 && some(edits, 'change of older messages', 'changes of older messages'),
    people > 0 && some(people, 'person', 'people'),
    channels > 0 && some(channels, 'channel'),
    files > 0 && some(files, 'file'),
    changes > 0 && some(changes, 'change of the audit log', 'changes of the audit log'),
  ].filter(Boolean)
  return parts.length > 0
    ? `, such as ${parts.join(', ')}`
    : '; no message, person, channel or file was added, and the audit log has no changes'
}

/** What to do with the database of an older version. */
function describeNext({ version }: Manifest): string {
  const { previous } = readVersions(HOME)
  const before = previous && labelOf(HOME, previous)
  const name = version ? `Parley ${version}` : 'the version of Parley that you had before'
  return before && (before === version || !version)
    ? `Now start ${version ? name : `Parley ${before}`}: "${commandLine('upgrade', '--back')}".`
    : `Now install and start ${name}.`
}

function describeGivenUp({ undone, version }: GivenUp): string {
  if (undone.length === 0) return ''
  return ` Parley ${version ?? `with ${undone[0]}`} doesn't migrate it again unless you ask for it by "${commandLine('migrate')}" or "${commandLine('upgrade')}".`
}
