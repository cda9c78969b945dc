import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { type Db, noneIfMissing } from '../db/database.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32
/** Slow (32 MB, about a tenth of a second), so that a fingerprint doesn't help to guess a weak secret. */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 ** 2 }

const slowHash = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * Checks the secret that all nodes of a workspace share: with another one, a node could neither read the signing keys nor accept
 * the other nodes' sessions. It is read-only, and runs before anything else.
 * @returns whether the workspace has a fingerprint already; otherwise `recordSecret` is due after the migrations
 * @throws StartError for another secret
 */
export async function checkSecret(db: Db, secret: string, config: Config): Promise<boolean> {
  const fingerprint = await readFingerprint(db)
  const isShared = fingerprint ? await isFingerprintOf(fingerprint, secret) : await opensSigningKeys(db, secret)
  if (!isShared) throw anotherSecret(config)
  return fingerprint !== undefined
}

/** Records the secret of the first node. @throws StartError if another node was faster, with another secret */
export async function recordSecret(db: Db, secret: string, config: Config) {
  const secretFingerprint = await fingerprintOf(secret)
  const recording = db.updateTable('workspace').set({ secretFingerprint }).where('secretFingerprint', 'is', null)
  const { numUpdatedRows } = await recording.executeTakeFirst()
  if (numUpdatedRows === 0n) await checkSecret(db, secret, config)
}

async function readFingerprint(db: Db): Promise<string | undefined> {
  const row = await noneIfMissing(db.selectFrom('workspace').select('secretFingerprint').executeTakeFirst())
  return row?.secretFingerprint ?? undefined
}

/** Whether no secret has been used with this database yet. */
export const isNewWorkspace = async (db: Db): Promise<boolean> =>
  (await readFingerprint(db)) === undefined && (await readSigningKey(db)) === undefined

/** An installation from before fingerprints has keys encrypted with its secret; a new one has none. */
async function opensSigningKeys(db: Db, secret: string): Promise<boolean> {
  const key = await readSigningKey(db)
  if (!key) return true
  return symmetricDecrypt({ key: secret, data: JSON.parse(key.privateKey) }).then(
    () => true,
    () => false,
  )
}

/** The newest signing key. */
const readSigningKey = (db: Db) =>
  noneIfMissing(
    db.selectFrom('signing_keys').select('privateKey').orderBy('createdAt', 'desc').limit(1).executeTakeFirst(),
  )

async function fingerprintOf(secret: string, salt = randomBytes(SALT_BYTES)): Promise<string> {
  const hash = await slowHash(secret, salt, HASH_BYTES, COST)
  return `${salt.toString('hex')}:${hash.toString('hex')}`
}

export async function isFingerprintOf(fingerprint: string, secret: string): Promise<boolean> {
  const [salt = ''] = fingerprint.split(':')
  const own = Buffer.from(await fingerprintOf(secret, Buffer.from(salt, 'hex')))
  const stored = Buffer.from(fingerprint)
  return own.length === stored.length && timingSafeEqual(own, stored)
}

function anotherSecret({ secret, dataDir }: Config): StartError {
  const here = secret ? 'SECRET' : `The secret in ${dataDir}/secrets.json`
  return new StartError(
    `${here} is not the secret of this workspace: set SECRET to the one that its nodes have used so far.`,
  )
}
