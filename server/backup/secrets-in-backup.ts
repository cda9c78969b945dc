import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import * as z from 'zod'
import { StartError } from '../config/start-error.ts'
import type { Storage } from '../files/storage.ts'
import { listBackups, type Manifest, readManifest, secretsKey, UnreadableBackup } from './manifest.ts'
import { readPacked, readSmall, writePacked } from './packed.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const SALT_BYTES = 16
/** Slow (32 MB, about a third of a second), so that passphrases are hard to guess. */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 ** 2 }

const slowHash = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const keyOf = (passphrase: string, salt: Buffer) => slowHash(passphrase.normalize('NFC'), salt, KEY_BYTES, COST)

const Hex = z.string().regex(/^[0-9a-f]{1,10000}$/)
const Encrypted = z.strictObject({ salt: Hex, nonce: Hex, tag: Hex, encrypted: Hex })
/** As 0.2.0 wrote them. */
const Plain = z.strictObject({ identity: z.string().min(1) })
const Stored = z.union([Encrypted, Plain])

/** Stores the identity's secret, encrypted. @returns the entry for the manifest */
export async function writeSecrets(
  place: Storage,
  name: string,
  { identity, passphrase }: { identity: string; passphrase: string },
) {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
  const cipher = createCipheriv(ALGORITHM, await keyOf(passphrase, salt), nonce).setAAD(Buffer.from(name))
  const encrypted = Buffer.concat([cipher.update(identity), cipher.final()])
  const parts = { salt, nonce, tag: cipher.getAuthTag(), encrypted }
  const body = Object.fromEntries(Object.entries(parts).map(([part, bytes]) => [part, bytes.toString('hex')]))
  return writePacked(place, secretsKey(name), Readable.from([JSON.stringify(body)]))
}

/**
 * The identity's secret, if the backup includes it.
 * @param ask returns the passphrase; not called for a backup from before they were encrypted
 * @throws StartError for another passphrase, or a damaged backup
 */
export async function readSecret(
  place: Storage,
  manifest: Manifest,
  ask: () => Promise<string>,
): Promise<string | undefined> {
  const stored = await readStored(place, manifest)
  if (!stored || 'identity' in stored) return stored?.identity
  const [salt, nonce, tag, encrypted] = [stored.salt, stored.nonce, stored.tag, stored.encrypted].map((hex) =>
    Buffer.from(hex, 'hex'),
  ) as [Buffer, Buffer, Buffer, Buffer]
  const key = await keyOf(await ask(), salt)
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(manifest.name)).setAuthTag(tag)
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString()
  } catch {
    throw new WrongPassphrase(`The secrets of the backup ${manifest.name} were encrypted with another passphrase.`)
  }
}

export class WrongPassphrase extends StartError {}

/** The backup itself, or if it was made without its secrets, the newest one of the same workspace that has them, if there is one. */
export async function findWithSecrets(place: Storage, manifest: Manifest): Promise<Manifest> {
  if (manifest.secrets) return manifest
  for (const { name, isComplete } of (await listBackups(place)).reverse()) {
    const other = isComplete ? await readManifest(place, name).catch(() => undefined) : undefined
    if (other?.secrets && other.filesId === manifest.filesId) return other
  }
  return manifest
}

/** Whether the secrets are in a backup in plain text, so that who can read it can sign in as anyone. */
export async function hasPlainSecrets(place: Storage, manifest: Manifest): Promise<boolean> {
  const stored = await readStored(place, manifest)
  return stored !== undefined && 'identity' in stored
}

async function readStored(place: Storage, { name, secrets }: Manifest): Promise<z.output<typeof Stored> | undefined> {
  if (!secrets) return undefined
  const bytes = await readSmall(await readPacked(place, secretsKey(name), secrets))
  const { data } = Stored.safeParse(parse(bytes?.toString() ?? ''))
  if (!data) throw new UnreadableBackup(name, `The backup ${name} is damaged: its secrets are not readable.`)
  return data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
