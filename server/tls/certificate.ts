import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { AcmeSource, TlsSettings } from '../config/tls-settings.ts'

/** A certificate with its key. */
export interface Certificate {
  /** PEM: the certificate first, then the chain that leads to its authority. */
  cert: string
  /** PEM. */
  key: string
  /** The names and addresses it is for. */
  names: string[]
  startsAt: Date
  endsAt: Date
}

const DIGEST_LENGTH = 8
/** More than a key and its chain have. */
const PROBE_BYTES = 16_384

/** Where Parley keeps the certificates of one authority, so that those of a test authority are never taken for real ones. */
export function acmeFolder(dataDir: string, { directory }: AcmeSource) {
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, DIGEST_LENGTH)
  return join(dataDir, 'tls', `${new URL(directory).hostname.replaceAll(/[^a-z\d.]+/gi, '-')}-${digest}`)
}

/** The files of a certificate. An obtained one is a single file, which is replaced at once. */
export function certificatePaths(source: TlsSettings['source'], dataDir: string) {
  if (source.kind === 'files') return { cert: source.certPath, key: source.keyPath }
  const path = join(acmeFolder(dataDir, source), `${source.domain}.pem`)
  return { cert: path, key: path }
}

/**
 * Reads a certificate and its key.
 * @throws Error of the file system, or of OpenSSL if they are none or don't belong together
 */
export async function readCertificate(paths: { cert: string; key: string }): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(paths.cert), read(paths.key)])
  return parseCertificate(cert, key)
}

async function read(path: string): Promise<string> {
  try {
    // Reading a pipe would wait for somebody to write to it.
    if (!(await stat(path)).isFile()) throw Object.assign(new Error('not a file'), { code: 'EISDIR' })
    return await readFile(path, 'utf8')
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}

/** The code of the error if a certificate is for another key. */
export const KEY_MISMATCH = 'KEY_MISMATCH'

/** @throws Error of OpenSSL, or one with the code `KEY_MISMATCH` */
export function parseCertificate(cert: string, key: string): Certificate {
  const parsed = new X509Certificate(cert)
  if (!parsed.checkPrivateKey(createPrivateKey(key)))
    throw Object.assign(new Error('the certificate is for another key'), { code: KEY_MISMATCH })
  // Refuses what TLS does, such as keys that are too short.
  createSecureContext({ cert, key })
  const { validFrom, validTo } = parsed
  return { cert, key, names: namesOf(parsed), startsAt: new Date(validFrom), endsAt: new Date(validTo) }
}

function namesOf({ subjectAltName = '', subject }: X509Certificate): string[] {
  const names = subjectAltName.split(', ').flatMap((it) => /^(?:DNS|IP Address):(.+)$/.exec(it)?.[1] ?? [])
  const [, commonName] = /^CN=(.+)$/m.exec(subject) ?? []
  return names.length > 0 || !commonName ? names : [commonName]
}

/** Writes a file that only this account can read; whoever reads it sees the old or the new one. */
export async function writeSecretFile(path: string, content: string) {
  await rename(await writeBeside(path, content), path)
}

/** @throws Error of the file system if a certificate can't be written there, such as on a full disk */
export async function requireWritable(path: string) {
  // It stays there, so that the room is kept until it is needed.
  await writeBeside(path, ' '.repeat(PROBE_BYTES))
  const existing = await stat(path).catch(() => undefined)
  if (existing && !existing.isFile()) throw new Error(`${path} is no file, and in the place of one`)
}

/** Writes the content to a file beside another one. Returns its path. */
async function writeBeside(path: string, content: string) {
  const beside = `${path}.new`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(beside, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  return beside
}
