import { stat } from 'node:fs/promises'
import { type LastBackup, readLastBackup } from '../../server/backup/last-backup.ts'
import { findBackup, listBackups, type Manifest, storedBytes } from '../../server/backup/manifest.ts'
import { describePlace, openPlace } from '../../server/backup/place.ts'
import { hasPlainSecrets, readSecret } from '../../server/backup/secrets-in-backup.ts'
import type { BackupPlace } from '../../server/config/backup-settings.ts'
import type { Config } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/database.ts'
import type { Storage } from '../../server/files/storage.ts'
import { commandLine } from '../../server/installation.ts'
import { describeBytes } from '../backup/progress.ts'
import { type Finding, none, ok, problem } from './finding.ts'

const HOUR_MS = 3_600_000
/** A backup takes a while, and one that failed is tried again after a quarter of an hour. */
const GRACE_MS = HOUR_MS

/**
 * Whether there are backups, how old the newest one is, and whether the last attempt failed.
 * @param url of the database; undefined if it can't be reached
 */
export async function checkBackups(config: Config, url: string | undefined): Promise<Finding[]> {
  const last = url ? await readLast(url) : undefined
  const { place, everyMs, passphrase } = config.backup
  if (!place) return [describeUnset(last)]
  const where = describePlace(place)
  const opened = await openPlace(place)
  const complete = (await listBackups(opened)).filter(({ isComplete }) => isComplete)
  if (complete.length === 0) return [describeEmpty(where, everyMs), ...describeFailure(last)]
  const manifest = await findBackup(opened)
  if (last && last.filesId !== manifest.filesId)
    return [problem(`${where} holds the backups of another workspace: set BACKUP_TO to a place of its own.`)]
  return [
    describeAge(manifest, where, everyMs),
    ...describeFailure(last),
    ...(await describeDisk(place, config.dataDir)),
    ...(everyMs ? [] : [none(`BACKUP_EVERY is not set: "${commandLine('backup')}" has to be run by something else.`)]),
    ...(await describeSecrets(opened, manifest, passphrase)),
  ]
}

/** Undefined for a database of another version. */
async function readLast(url: string): Promise<LastBackup | undefined> {
  const { db } = openDatabase(url, { onError: () => {}, max: 1, timeoutMs: 8_000 })
  return readLastBackup(db)
    .catch(() => undefined)
    .finally(() => db.destroy())
}

function describeUnset(last: LastBackup | undefined): Finding {
  const text = 'BACKUP_TO is not set, so Parley makes no backups by itself'
  if (!last?.madeAt) return none(`${text}. Set it to a folder on another disk, or a bucket, and BACKUP_EVERY to 1d.`)
  return none(`${text}. The last one was made ${describeTime(last.madeAt)} ago.`)
}

function describeEmpty(where: string, everyMs: number | undefined): Finding {
  if (everyMs) return none(`There is no backup in ${where} yet. Run "${commandLine('backup')}" to have one now.`)
  return problem(`There is no backup in ${where}. Run "${commandLine('backup')}", or set BACKUP_EVERY to 1d.`)
}

function describeFailure(last: LastBackup | undefined): Finding[] {
  if (!last?.failure) return []
  return [problem(`The last attempt to back up failed: ${last.failure.replace(/\.$/, '')}.`)]
}

function describeAge({ name, madeAt, tables, files }: Manifest, where: string, everyMs = 0): Finding {
  const ageMs = Date.now() - Date.parse(madeAt)
  const size = describeBytes(storedBytes(tables) + (files?.bytes ?? 0))
  const text = `The newest backup is ${describeTime(madeAt)} old (${size}): ${where}/backups/${name}`
  if (everyMs && ageMs > 2 * everyMs + GRACE_MS)
    return problem(`${text}. BACKUP_EVERY asks for more: start Parley with it, or look into its log.`)
  return ok(`${text}.`)
}

async function describeDisk(place: BackupPlace, dataDir: string): Promise<Finding[]> {
  if (!('folder' in place)) return []
  const [backups, data] = await Promise.all([place.folder, dataDir].map((path) => stat(path).catch(() => undefined)))
  if (!backups || backups.dev !== data?.dev) return []
  return [none('They are on the disk of DATA_DIR, and are lost with it. Use another disk, or a bucket.')]
}

async function describeSecrets(place: Storage, manifest: Manifest, passphrase: string | undefined): Promise<Finding[]> {
  if (!manifest.secrets) {
    const later = passphrase === undefined ? 'or set BACKUP_PASSPHRASE' : 'until the next one is made'
    return [none(`The secrets are not in the newest one: keep secrets.json, or SECRET, elsewhere, ${later}.`)]
  }
  if (await hasPlainSecrets(place, manifest))
    return [problem('The newest one has the secrets in plain text: whoever can read it can sign in as anyone.')]
  if (passphrase === undefined) return [none('The secrets are in the newest one. Keep its passphrase elsewhere.')]
  return readSecret(place, manifest, async () => passphrase).then(
    () => [ok('BACKUP_PASSPHRASE opens the secrets in the newest one. Keep it elsewhere, too.')],
    (error: Error) => [problem(`${error.message} BACKUP_PASSPHRASE was changed since, or mistyped.`)],
  )
}

function describeTime(since: string | Date): string {
  const hours = (Date.now() - new Date(since).getTime()) / HOUR_MS
  if (hours < 2) return `${Math.max(1, Math.round(hours * 60))} min`
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`
}
