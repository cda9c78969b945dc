import { createInterface } from 'node:readline/promises'
import type { BackupProgress } from '../../server/backup/make-backup.ts'
import { describePlace, openPlace } from '../../server/backup/place.ts'
import type { BackupPlace } from '../../server/config/backup-settings.ts'
import { type Config, readConfig } from '../../server/config/config.ts'
import { StartError } from '../../server/config/start-error.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'

/** The place given by a flag, otherwise by BACKUP_TO. @throws StartError if neither is set */
export async function choosePlace({ backup }: Config, flag: string, value: string | boolean | undefined) {
  const place = typeof value === 'string' ? parsePlace(value) : backup.place
  if (!place)
    throw new StartError(`Set BACKUP_TO, or add --${flag}=PLACE: a folder, or a bucket such as s3://bucket/prefix.`)
  return { place: await openPlace(place), where: describePlace(place) }
}

function parsePlace(to: string): BackupPlace | undefined {
  const config = readConfig({ ...process.env, BACKUP_TO: to })
  return config.backup.place
}

/** Opens the database; the embedded one only if no Parley runs on it. */
export async function openAlone({ databaseUrl, dataDir }: Config, password: string) {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} }
  return startEmbeddedPostgres({ dataDir, password, log: console.log }).catch((error) => {
    throw new StartError(error.message)
  })
}

/** Shows progress on a terminal. */
export function showProgress(): BackupProgress & { end(): void } {
  const show = (line: string) => process.stdout.isTTY && process.stdout.write(`\r\x1b[K${line}`)
  let shownAt = 0
  return {
    onTable: (table) => void show(`Database: ${table}`),
    onFiles(done, total) {
      if (done < total && performance.now() - shownAt < 100) return
      shownAt = performance.now()
      show(`Files: ${done} of ${total}`)
    },
    end: () => void show(''),
  }
}

/** Asks for a word on the terminal. @throws StartError if another one is typed, or without a terminal */
export async function requireWord(question: string, word: string) {
  if (!process.stdin.isTTY) throw new StartError(`${question} Add --yes to do it without being asked.`)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and Ctrl-D count as an answer.
  const typed = await lines.question(`${question} Type "${word}" to go on: `).catch(() => '')
  lines.close()
  if (typed.trim() !== word) throw new StartError('Nothing was changed.')
}

export function describeBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
