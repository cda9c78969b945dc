import { createDecipheriv, type ECDH, hkdfSync } from 'node:crypto'

/** What a browser subscribed with, its private key included. */
export interface BrowserKeys {
  curve: ECDH
  auth: Buffer
}

const SALT_BYTES = 16
const TAG_BYTES = 16
const DELIMITER = 2

/**
 * The browser's side of RFC 8291, for bodies of a single record, as pushes are.
 * @throws if it was not encrypted for these keys
 */
export function decryptPush(body: Buffer, { curve, auth }: BrowserKeys): string {
  const salt = body.subarray(0, SALT_BYTES)
  const recordBytes = body.readUInt32BE(SALT_BYTES)
  const keyStart = SALT_BYTES + 5
  const keyEnd = keyStart + (body[keyStart - 1] as number)
  const senderKey = body.subarray(keyStart, keyEnd)
  const record = body.subarray(keyEnd)
  if (record.length > recordBytes) throw new Error('more than one record')

  const context = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey])
  const secret = derive(curve.computeSecret(senderKey), auth, context, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-TAG_BYTES))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== DELIMITER) throw new Error('not the last record')
  return padded.subarray(0, end).toString()
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))
