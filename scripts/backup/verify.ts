// Reads a backup completely, and reports damages. docs/running/backup.md
import { findBackup, rowsOf } from '../../server/backup/manifest.ts'
import { verifyBackup } from '../../server/backup/verify-backup.ts'
import { runCommand } from '../run-command.ts'
import { choosePlace, describeBytes, showProgress } from './command.ts'

await runCommand({ from: { type: 'string' } }, async (config, values, name) => {
  const { place } = await choosePlace(config, 'from', values['from'])
  const manifest = await findBackup(place, name)
  const progress = showProgress()
  const { damages, damaged, missing } = await verifyBackup(place, manifest, progress)
  progress.end()
  const { files } = manifest
  for (const key of missing) console.log(`Gone before it could be backed up: ${key}`)
  for (const sentence of damages) console.error(sentence)
  if (damaged > damages.length) console.error(`And ${damaged - damages.length} more.`)
  if (damaged > 0) process.exitCode = 1
  else
    console.log(
      `The backup ${manifest.name} is complete: ${rowsOf(manifest, 'messages')} messages, ${files?.count ?? 0} files (${describeBytes(files?.bytes ?? 0)}).`,
    )
})
