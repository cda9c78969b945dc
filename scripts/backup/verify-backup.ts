// Reads a backup completely, and reports damages. docs/running/backup.md
import { findBackup } from '../../server/backup/manifest.ts'
import { hasPlainSecrets, readSecret } from '../../server/backup/secrets-in-backup.ts'
import { verifyBackup } from '../../server/backup/verify-backup.ts'
import { runCommand } from '../run-command.ts'
import { choosePlace, describeContent, describeOrigin, printMissing, some } from './command.ts'
import { showProgress } from './progress.ts'

await runCommand({ from: { type: 'string' } }, async (config, values, name) => {
  const { place, where } = await choosePlace(config, 'from', values['from'])
  const manifest = await findBackup(place, name, where)
  const progress = showProgress()
  const { damages, damaged, missing } = await verifyBackup(place, manifest, progress.onProgress)
  progress.end()
  printMissing(missing, manifest.files?.missing)
  for (const sentence of damages) console.error(sentence)
  if (damaged > damages.length) console.error(`And ${damaged - damages.length} more.`)
  if (damaged > 0) {
    process.exitCode = 1
    return
  }
  const gone = manifest.files?.missing ?? 0
  const how = gone > 0 ? `undamaged, but lacks ${some(gone, 'file')}` : 'complete'
  console.log(`The backup ${manifest.name} is ${how}: ${describeContent(manifest)}.`)
  console.log(`It was ${describeOrigin(manifest)}.`)
  const { passphrase } = config.backup
  if (await hasPlainSecrets(place, manifest))
    console.log('The secrets are in it in plain text: whoever can read it can sign in as anyone. Make a new one.')
  else if (!manifest.secrets) console.log('The secrets are not in it: keep secrets.json, or SECRET, elsewhere.')
  else if (passphrase === undefined)
    console.log('The secrets are in it. Set BACKUP_PASSPHRASE to try whether they open.')
  else if (await readSecret(place, manifest, async () => passphrase))
    console.log('BACKUP_PASSPHRASE opens its secrets.')
})
