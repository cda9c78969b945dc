import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Secrets nobody gave: made at the first start and kept in the data folder, readable by its owner only. */
export interface Secrets {
  /** Encrypts the signing keys and signs the session cookies. */
  identity: string
  /** Password of the embedded database. */
  database: string
}

export async function keepSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  await mkdir(dataDir, { recursive: true })
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (kept !== undefined) return JSON.parse(kept) as Secrets
  const made: Secrets = { identity: randomBytes(32).toString('hex'), database: randomBytes(24).toString('hex') }
  // Written beside and renamed: a crash in between must not leave half a secret that locks the database for ever.
  await writeFile(`${path}.new`, JSON.stringify(made, null, 2), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return made
}
