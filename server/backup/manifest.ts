import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { StartError } from '../config/start-error.ts'
import type { Storage } from '../files/storage.ts'

// A backup is a folder in `backups`. Its manifest is written last, so a folder with a manifest is complete. The bytes of files
// are in `files`, shared by all backups: the content of a file id never changes.

const FORMAT = 1
const FOLDER = 'backups'
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024

const Version = z.string().regex(/^[\w.+-]{1,100}$/)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().nonnegative()
export const TABLE_NAME = /^[a-z_]{1,63}$/
const Name = z.string().regex(TABLE_NAME)
/** A compressed object. */
const Stored = { size: Count, sha256: Sha256 }

/** Older versions of Parley read it, and refuse what they don't know. */
const Content = z.strictObject({
  format: z.literal(FORMAT),
  name: z.string(),
  madeAt: z.iso.datetime(),
  /** PostgreSQL's version. */
  postgres: z.string(),
  /** The name of the folder with the workspace's files. */
  filesId: z.uuid(),
  /** The migrations that were run, in order. */
  migrations: z.array(z.string().regex(/^[\w-]{1,100}$/)).min(1),
  tables: z.array(
    z.strictObject({ name: Name, columns: z.array(z.string().regex(/^\w{1,63}$/)).min(1), rows: Count, ...Stored }),
  ),
  sequences: z.array(
    z.strictObject({ table: Name, column: z.string().regex(/^\w{1,63}$/), value: z.int().positive() }),
  ),
  /** Undefined for a database-only snapshot. */
  files: z.strictObject({ count: Count, bytes: Count, missing: Count, ...Stored }).optional(),
  secrets: z.strictObject(Stored).optional(),
})
export interface Manifest extends z.output<typeof Content> {
  /** The version of Parley whose state it is; undefined before 0.3.0. */
  version?: string | undefined
}
export type TableEntry = Manifest['tables'][number]

const NAME = /^\d{4}-\d\d-\d\dT\d{6}\d{3}Z$/
const nameAt = (ms: number) => new Date(ms).toISOString().replace(/[:.]/g, '')
const timeOf = (name: string) => Date.parse(name.replace(/T(..)(..)(..)(...)Z/, 'T$1:$2:$3.$4Z')) || 0

/** A time-based name that sorts after all existing ones, even if the clock was set back: the last one is always the newest. */
export async function newName(place: Storage): Promise<string> {
  const last = (await listBackups(place)).at(-1)
  return nameAt(Math.max(Date.now(), last ? timeOf(last.name) + 1 : 0))
}

export const keyIn = (name: string, file: string) => `${FOLDER}/${name}/${file}`
export const tableKey = (name: string, table: string) => keyIn(name, `database/${table}.copy.gz`)
export const listKey = (name: string) => keyIn(name, 'files.list.gz')
export const secretsKey = (name: string) => keyIn(name, 'secrets.json.gz')
/** Marks whose backup is running; removed once it is complete. */
export const epochKey = (name: string, epoch: string) => keyIn(name, `epoch-${epoch}`)
export const epochOf = (name: string, key: string) =>
  key.startsWith(epochKey(name, '')) ? key.slice(epochKey(name, '').length) : undefined
/** The key of a file's bytes, from its key in the server's storage. */
export const sharedKey = (key: string) => `files/${key}`

const manifestKey = (name: string) => keyIn(name, 'manifest.json')
const checksumOf = (manifest: unknown) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

export async function writeManifest(place: Storage, content: Omit<Manifest, 'format'>): Promise<Manifest> {
  const { version, ...rest } = content
  // What cannot be read must not be called a backup.
  const manifest = Content.parse({ ...rest, format: FORMAT })
  const body = JSON.stringify({ checksum: checksumOf(manifest), version, manifest }, null, 1)
  await place.write(manifestKey(manifest.name), Readable.from([Buffer.from(body)]))
  return { ...manifest, version }
}

/** A backup that exists but cannot be read. */
export class UnreadableBackup extends StartError {
  readonly backup: string

  constructor(backup: string, message: string) {
    super(message)
    this.backup = backup
  }
}

/** @throws UnreadableBackup if it is damaged, or from a newer version */
export async function readManifest(place: Storage, name: string): Promise<Manifest> {
  const damaged = new UnreadableBackup(name, `The backup ${name} is damaged: its manifest.json cannot be read.`)
  const size = (await place.sizeOf(manifestKey(name))) ?? 0
  if (size === 0 || size > MAX_MANIFEST_BYTES) throw damaged
  const bytes = await place.read(manifestKey(name), size)
  if (!bytes) throw damaged
  const { checksum, version, manifest } = await text(bytes)
    .then((body) => JSON.parse(body) ?? {})
    .catch(() => ({}))
  if (Number(manifest?.format) > FORMAT)
    throw new UnreadableBackup(name, `The backup ${name} was made by a newer version of Parley: use that version.`)
  const parsed = Content.safeParse(manifest)
  if (!parsed.success || checksum !== checksumOf(manifest) || parsed.data.name !== name) throw damaged
  // It is not part of the checksum.
  return { ...parsed.data, version: Version.safeParse(version).data }
}

/** The names of the backup folders, oldest first, and whether each is complete. */
export async function listBackups(place: Storage): Promise<{ name: string; isComplete: boolean }[]> {
  const found = new Map<string, boolean>()
  for await (const { key } of place.list(FOLDER)) {
    const [, name = '', ...rest] = key.split('/')
    if (NAME.test(name)) found.set(name, found.get(name) || rest.join('/') === 'manifest.json')
  }
  return [...found].map(([name, isComplete]) => ({ name, isComplete })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The error if a backup was removed while it was read, as old ones are: what it lacks is then no damage. */
export const findRemoval = async (place: Storage, name: string): Promise<StartError | undefined> =>
  (await place.sizeOf(manifestKey(name))) === undefined
    ? new StartError(`The backup ${name} was removed meanwhile.`)
    : undefined

/**
 * The backup with this name, or the newest.
 * @param path its name, or its folder
 * @param where names the place
 * @throws StartError
 */
export async function findBackup(place: Storage, path?: string, where = 'this place'): Promise<Manifest> {
  const name = path && basename(path)
  const complete = (await listBackups(place)).filter(({ isComplete }) => isComplete)
  const found = name ? complete.find((it) => it.name === name) : complete.at(-1)
  if (found)
    return readManifest(place, found.name).catch((error) => {
      const [earlier] = complete.slice(-2, -1)
      if (name || !earlier || !(error instanceof UnreadableBackup)) throw error
      throw new UnreadableBackup(
        found.name,
        `${error.message} The one before it is ${earlier.name}: name it to use it.`,
      )
    })
  const names = complete.map((it) => it.name).slice(-10)
  throw new StartError(
    name && names.length > 0
      ? `There is no backup ${JSON.stringify(name)}. The newest ones are ${names.join(', ')}.`
      : `There is no backup in ${where}.`,
  )
}

export const storedBytes = (objects: { size: number }[]) => objects.reduce((sum, { size }) => sum + size, 0)

/** The number of rows of a table; 0 if that version didn't have it. */
export const rowsOf = ({ tables }: Manifest, table: string) => tables.find(({ name }) => name === table)?.rows ?? 0
