import { hkdfSync, randomBytes } from 'node:crypto'
import { access, link, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { Config } from './config.ts'
import { dataDirProblem, prepareDataDir } from './data-dir.ts'
import { StartError } from './start-error.ts'

const KEY_BYTES = 32

const Secrets = z.object({
  /** Encrypts the signing keys and signs the session cookies: the same on all nodes. */
  identity: z.string().min(1),
  /** Password of the embedded database. */
  database: z.string().min(1),
})
type Secrets = z.output<typeof Secrets>

/** The secrets of this node. SECRET overrides the generated one; with an external database no other is needed. */
export async function loadSecrets({ dataDir, databaseUrl, secret }: Config): Promise<Secrets> {
  if (secret && databaseUrl) return { identity: secret, database: '' }
  const generated = await loadOrCreateSecrets(dataDir)
  return { ...generated, ...(secret && { identity: secret }) }
}

/**
 * Derives a key for one purpose (the name of a feature). It is the same on all nodes, and reveals neither the identity's secret
 * nor the keys for other purposes.
 */
export const deriveKey = (identitySecret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', identitySecret, '', `parley ${purpose}`, KEY_BYTES))

/**
 * Loads the secrets of a data folder. They are created at the first start, readable by their owner only.
 * @throws StartError if they are damaged, or missing beside a database that was created with them
 */
export async function loadOrCreateSecrets(dataDir: string, identity?: string): Promise<Secrets> {
  await prepareDataDir(dataDir)
  // Check this first: a concurrent first start creates the secrets before its database.
  const isBesideDatabase = await hasDatabase(dataDir)
  const secrets = await readSecrets(dataDir)
  if (secrets) {
    await warnIfPublic(pathOf(dataDir))
    return secrets
  }
  if (isBesideDatabase)
    throw new StartError(
      `${dataDir} has a database but no secrets.json. Put the saved one back, or set DATA_DIR to an empty folder; nothing was changed.`,
    )
  return createSecrets(dataDir, identity)
}

/** Stores the identity's secret of a backup, unless the folder has secrets already. */
export async function storeSecrets(dataDir: string, identity: string) {
  await loadOrCreateSecrets(dataDir, identity)
}

/** The identity's secret of a data folder; undefined if it has none yet. */
export const findSecret = async (dataDir: string) => (await readSecrets(dataDir))?.identity

const pathOf = (dataDir: string) => join(dataDir, 'secrets.json')

/** Whether there is an embedded database. One that this account can't look into counts. */
const hasDatabase = (dataDir: string) =>
  access(join(dataDir, 'postgres', 'PG_VERSION')).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  )

async function readSecrets(dataDir: string): Promise<Secrets | undefined> {
  const path = pathOf(dataDir)
  try {
    return parseSecrets(await readFile(path, 'utf8'), path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw dataDirProblem(error, dataDir) ?? error
  }
}

function parseSecrets(text: string, path: string): Secrets {
  try {
    return Secrets.parse(JSON.parse(text))
  } catch {
    throw new StartError(`${path} is damaged. Put the saved one back; nothing was changed.`)
  }
}

async function warnIfPublic(path: string) {
  // Windows reports these bits for every file.
  if (process.platform === 'win32' || ((await stat(path)).mode & 0o007) === 0) return
  console.warn(
    `${path} can be read by every account of this machine, and with it and the database they can sign in as anyone. Run "chmod 600 ${path}".`,
  )
}

/**
 * Writes the complete file under another name and links it, so that neither a crash nor a concurrent first start can leave
 * secrets other than those that the database was created with.
 */
async function createSecrets(dataDir: string, identity = randomBytes(32).toString('hex')): Promise<Secrets> {
  const path = pathOf(dataDir)
  const secrets: Secrets = { identity, database: randomBytes(24).toString('hex') }
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
    await link(draft, path)
    return secrets
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw dataDirProblem(error, dataDir) ?? error
    return (await readSecrets(dataDir)) as Secrets
  } finally {
    await rm(draft, { force: true })
  }
}
