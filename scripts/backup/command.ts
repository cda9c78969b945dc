import { createInterface } from 'node:readline/promises'
import { type Manifest, rowsOf } from '../../server/backup/manifest.ts'
import { describePlace, openPlace } from '../../server/backup/place.ts'
import { type BackupPlace, requireOwnPlace } from '../../server/config/backup-settings.ts'
import { type Config, readConfig } from '../../server/config/config.ts'
import { StartError } from '../../server/config/start-error.ts'
import { startPostgres } from '../open-postgres.ts'
import { describeBytes } from './progress.ts'

/** The place given by a flag, otherwise by BACKUP_TO. @throws StartError if neither is set */
export async function choosePlace(
  { backup, dataDir }: Config,
  flag: 'from' | 'to',
  value: string | boolean | undefined,
) {
  const place = typeof value === 'string' ? parsePlace(value, flag) : backup.place
  if (!place)
    throw new StartError(`Set BACKUP_TO, or add --${flag}=PLACE: a folder, or a bucket such as s3://bucket/prefix.`)
  if (flag === 'to') requireOwnPlace(place, dataDir)
  return { place: await openPlace(place), where: describePlace(place) }
}

function parsePlace(to: string, flag: string): BackupPlace | undefined {
  try {
    return readConfig({ ...process.env, BACKUP_TO: to, BACKUP_EVERY: undefined }).backup.place
  } catch (error) {
    throw error instanceof StartError ? new StartError(error.message.replace('BACKUP_TO', `--${flag}`)) : error
  }
}

/** Opens the database; the embedded one only if no Parley runs on it. @param onStop called if the command is asked to end */
export async function openAlone({ databaseUrl, dataDir }: Config, password: string, onStop?: () => void) {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} }
  return startPostgres(dataDir, password, onStop).catch((error) => {
    throw new StartError(error.message)
  })
}

/** Asks for a word on the terminal. @throws StartError if another one is typed, or without a terminal */
export async function requireWord(question: string, word: string) {
  if (!process.stdin.isTTY) throw new StartError(`${question} Add --yes to do it without being asked.`)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and Ctrl-D count as an answer.
  const typed = await lines.question(`${question} Type "${word}" to go on: `).catch(() => {
    console.log()
    return ''
  })
  lines.close()
  if (typed.trim() !== word) throw new StartError('Nothing was changed.')
}

/** What a backup holds, in words. */
export function describeContent(manifest: Manifest): string {
  const { count = 0, bytes = 0 } = manifest.files ?? {}
  // The assistant is not a person.
  const people = Math.max(0, rowsOf(manifest, 'users') - 1)
  return `${some(people, 'person', 'people')}, ${some(rowsOf(manifest, 'channels'), 'channel')}, ${some(rowsOf(manifest, 'messages'), 'message')}, ${some(count, 'file')} (${describeBytes(bytes)})`
}

export const some = (count: number, one: string, several = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`

/** When a backup was made and by which version, in words. */
export const describeOrigin = ({ madeAt, version, migrations }: Manifest) =>
  `made by ${version ? `Parley ${version}` : 'an older version of Parley'} on ${describeTime(madeAt)} (${migrations.at(-1)})`

/** @param time ISO 8601 */
export const describeTime = (time: string) => `${time.slice(0, 16).replace('T', ' at ')} UTC`

const MAX_LISTED = 20

/** @param count if there are more than are listed */
export function printMissing(keys: string[], count = keys.length) {
  const listed = keys.slice(0, MAX_LISTED)
  for (const key of listed) console.log(`Gone before it could be backed up: ${key}`)
  if (count > listed.length) console.log(`And ${count - listed.length} more.`)
}
