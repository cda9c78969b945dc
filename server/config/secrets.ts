import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Created at the first start and stored in the data folder, readable by its owner only. */
interface Secrets {
  /** Encrypts the signing keys and signs the session cookies. */
  identity: string
  /** Password of the embedded database. */
  database: string
}

export async function loadOrCreateSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  await mkdir(dataDir, { recursive: true })
  return (await readSecrets(path)) ?? createSecrets(path)
}

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
async function createSecrets(path: string): Promise<Secrets> {
  const secrets: Secrets = { identity: randomBytes(32).toString('hex'), database: randomBytes(24).toString('hex') }
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
