import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { deriveKey } from './secrets.ts'

export type Seal = ReturnType<typeof createSeal>

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts and authenticates what passes through the database, with a key shared by the nodes: its accounts, and the readers of its
 * backups, may neither read nor forge it.
 * @param secret shared by the nodes
 * @param purpose separates the keys of purposes and workspaces
 */
export function createSeal(secret: string, purpose: string) {
  // Passing raw bytes would rebuild the key for each packet, which is slower than encrypting it.
  const key = createSecretKey(deriveKey(secret, purpose))
  return {
    seal(text: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce)
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
    },
    /** Undefined if it was sealed with another key or tampered with. */
    open(packet: Buffer): string | undefined {
      if (packet.length < NONCE_BYTES + TAG_BYTES) return undefined
      const body = NONCE_BYTES + TAG_BYTES
      try {
        const decipher = createDecipheriv(ALGORITHM, key, packet.subarray(0, NONCE_BYTES))
        decipher.setAuthTag(packet.subarray(NONCE_BYTES, body))
        return Buffer.concat([decipher.update(packet.subarray(body)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
