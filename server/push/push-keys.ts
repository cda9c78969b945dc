import { createECDH } from 'node:crypto'
import { deriveKey } from '../config/secrets.ts'

export interface PushKeys {
  /** A point of P-256, uncompressed, as base64url: browsers subscribe with it. */
  publicKey: string
  /** Its scalar, 32 bytes, as base64url. */
  privateKey: string
}

/**
 * The keys that push services know a workspace by (VAPID, RFC 8292). They follow from the secret of the nodes, so all nodes have the
 * same ones and none are stored.
 * @param workspace separates workspaces with the same secret
 */
export const createPushKeys = (secret: string, workspace: string): PushKeys =>
  firstPair((attempt) => deriveKey(secret, `push ${workspace} ${attempt}`))

/** The pair of the first candidate that is a scalar of P-256, as all but one of 2^32 are. */
export function firstPair(candidate: (attempt: number) => Buffer): PushKeys {
  for (let attempt = 0; ; attempt++) {
    const privateKey = candidate(attempt)
    const publicKey = publicKeyOf(privateKey)
    if (publicKey) return { publicKey, privateKey: privateKey.toString('base64url') }
  }
}

function publicKeyOf(privateKey: Buffer): string | undefined {
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(privateKey)
  } catch {
    return undefined
  }
  return curve.getPublicKey().toString('base64url')
}
