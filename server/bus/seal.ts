import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { deriveKey } from '../config/secrets.ts'

export type Seal = ReturnType<typeof createSeal>

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts and authenticates packets with a key that only the nodes of a workspace have. `LISTEN` and `NOTIFY` know no
 * privileges: without this, every account of the database could read private messages and forge events.
 * @param secret shared by the nodes
 * @param workspace another one has another key
 */
export function createSeal(secret: string, workspace: string) {
  // Bytes would be made a key again for each packet, which takes longer than to encrypt it.
  const key = createSecretKey(deriveKey(secret, `bus ${workspace}`))
  return {
    seal(text: string): Buffer {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce)
      const sealed = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
    },
    /** Undefined if it was sealed with another key, or changed since. */
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
