import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import * as z from 'zod'
import type { S3Config } from './s3-config.ts'
import { StartError } from './start-error.ts'

/** Where backups are kept: a folder, or below a prefix of a bucket. */
export type BackupPlace = { folder: string } | { s3: S3Config; prefix: string }

export interface BackupSettings {
  /** Undefined if none is configured. */
  place: BackupPlace | undefined
  /** Milliseconds between automatic backups; undefined disables them. */
  everyMs: number | undefined
  /** How many backups are kept. */
  keep: number
  /** Encrypts the secrets, which are part of backups only if it is set. */
  passphrase: string | undefined
  /** Whether a backup of the database is made before it is migrated. */
  snapshots: boolean
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 }
const DEFAULT_PREFIX = 'parley-backups'

export const MIN_PASSPHRASE_LENGTH = 12
/** Whether it is long enough. Spaces at its ends don't count. */
export const isPassphrase = (text: string) => [...text.trim()].length >= MIN_PASSPHRASE_LENGTH

/** An address, a mistyped one as well, and not a drive of Windows: as a folder it would be a new one on this machine. */
const IS_REMOTE = /^[\w.@-]{2,}:|:\/\//

const aKeep = 'must be a whole number from 1 to 1000'

export const backupEnvironment = {
  BACKUP_TO: z
    .string()
    .refine(
      (value) => !IS_REMOTE.test(value) || /^s3:\/\/[\w.-]+(\/[\w.-]+)*\/?$/.test(value),
      'must be a folder, or a bucket such as s3://bucket/prefix',
    )
    .optional(),
  BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,2}[mhd]$/, 'must be a time such as 12h or 1d')
    .transform((text) => Number.parseInt(text, 10) * UNITS_MS[text.at(-1) as keyof typeof UNITS_MS])
    .optional(),
  BACKUP_KEEP: z.coerce.number(aKeep).int(aKeep).min(1, aKeep).max(1000, aKeep).default(14),
  BACKUP_S3_ENDPOINT: z
    .string()
    .refine(
      (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
      'must be an address such as https://s3.example.com',
    )
    .optional(),
  BACKUP_S3_REGION: z.string().optional(),
  BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
  BACKUP_PASSPHRASE: z
    .string()
    .refine(isPassphrase, `must have at least ${MIN_PASSPHRASE_LENGTH} characters`)
    .optional(),
  SNAPSHOTS: z.enum(['on', 'off'], 'must be on or off').default('on'),
}

type Environment = z.output<z.ZodObject<typeof backupEnvironment>> & {
  S3_ENDPOINT?: string | undefined
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

/** @throws StartError if backups must not be made there */
export function requireOwnPlace(place: BackupPlace, dataDir: string) {
  if (!('folder' in place)) return
  const { folder } = place
  const [real, data] = [realPath(resolve(folder)), realPath(resolve(dataDir))]
  const isIn = (name: string) => !relative(join(data, name), real).startsWith('..')
  if (real === data || TAKEN.some(isIn))
    throw new StartError(`Backups need a folder of their own, not ${resolve(folder)}, which has other contents.`)
}

/** Follows the links in a path, the end of which may not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path))
  }
}

/** Folders below `DATA_DIR` that have other contents. */
const TAKEN = ['files', 'postgres', 'snapshots']

/** @throws StartError */
export function readBackupSettings(env: Environment, dataDir: string): BackupSettings {
  const { BACKUP_TO: to, BACKUP_EVERY: everyMs, BACKUP_KEEP: keep } = env
  if (everyMs && !to) throw new StartError('BACKUP_TO is required with BACKUP_EVERY.')
  const place = to ? readPlace(env, to) : undefined
  if (place && everyMs) requireOwnPlace(place, dataDir)
  return {
    ...{ place, everyMs, keep },
    passphrase: env.BACKUP_PASSPHRASE,
    snapshots: env.SNAPSHOTS === 'on',
  }
}

function readPlace(env: Environment, to: string): BackupPlace {
  if (/^~(\/|$)/.test(to))
    throw new StartError(`"${to}" is not a folder: only a shell replaces the "~". Name the folder from "/" on.`)
  if (!to.startsWith('s3://')) return { folder: to }
  const [bucket = '', ...prefix] = to.slice('s3://'.length).split('/').filter(Boolean)
  if (prefix.includes('..')) throw new StartError(`BACKUP_TO must be a bucket such as s3://bucket/prefix, not "${to}".`)
  // Defaults to the credentials of the file store, unless the backups have their own.
  const isOther = env.BACKUP_S3_ACCESS_KEY_ID !== undefined || env.BACKUP_S3_SECRET_ACCESS_KEY !== undefined
  const accessKeyId = isOther ? env.BACKUP_S3_ACCESS_KEY_ID : env.S3_ACCESS_KEY_ID
  const secretAccessKey = isOther ? env.BACKUP_S3_SECRET_ACCESS_KEY : env.S3_SECRET_ACCESS_KEY
  if (!accessKeyId) throw new StartError('BACKUP_S3_ACCESS_KEY_ID is required with a bucket as BACKUP_TO.')
  if (!secretAccessKey) throw new StartError('BACKUP_S3_SECRET_ACCESS_KEY is required with BACKUP_S3_ACCESS_KEY_ID.')
  return {
    prefix: prefix.join('/') || DEFAULT_PREFIX,
    s3: {
      bucket,
      accessKeyId,
      secretAccessKey,
      region: env.BACKUP_S3_REGION ?? env.S3_REGION,
      endpoint: env.BACKUP_S3_ENDPOINT ?? (isOther ? undefined : env.S3_ENDPOINT),
    },
  }
}
