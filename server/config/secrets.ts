import { hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

const KEY_BYTES = 32

interface Secrets {
  /** Encrypts the signing keys and signs the session cookies: the same on all nodes. */
  identity: string
  /** Password of the embedded database. */
  database: string
}

/** The secrets of this node: SECRET comes before the generated one, and with a database elsewhere no other is needed. */
export async function loadSecrets({ dataDir, databaseUrl, secret }: Config): Promise<Secrets> {
  if (secret && databaseUrl) return { identity: secret, database: '' }
  const generated = await loadOrCreateSecrets(dataDir)
  return { ...generated, ...(secret && { identity: secret }) }
}

/**
 * A key for one purpose (the name of a feature): equal on all nodes, and of no use for another purpose or for finding the
 * identity's secret.
 */
export const deriveKey = (identitySecret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', identitySecret, '', `parley ${purpose}`, KEY_BYTES))

/** Those of a data folder. They are created at the first start, readable by their owner only. */
export async function loadOrCreateSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  await mkdir(dataDir, { recursive: true })
  return (await readSecrets(path)) ?? createSecrets(path)
}

/** Takes over the identity's secret of a backup, unless the folder has secrets already. */
export async function storeSecrets(dataDir: string, identity: string) {
  const path = join(dataDir, 'secrets.json')
  await mkdir(dataDir, { recursive: true })
  if (!(await readSecrets(path))) await createSecrets(path, identity)
}

/** The identity's secret of a data folder; undefined if it has none yet. */
export const findSecret = async (dataDir: string) => (await readSecrets(join(dataDir, 'secrets.json')))?.identity

async function readSecrets(path: string): Promise<Secrets | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Secrets
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Writes a complete file under another name and links it, so that neither a crash nor two concurrent first starts can leave
 * secrets that the database was not created with.
 */
async function createSecrets(path: string, identity = randomBytes(32).toString('hex')): Promise<Secrets> {
  const secrets: Secrets = { identity, database: randomBytes(24).toString('hex') }
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  try {
    await link(draft, path)
    return secrets
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readSecrets(path)) as Secrets
  } finally {
    await rm(draft)
  }
}
