import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** The few forms of CBOR that an authenticator writes. */
function encode(value: Cbor): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    return length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [encode(key), encode(each)])])
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64 = (data: Buffer) => data.toString('base64url')

const PRESENT = 1
const VERIFIED = 4
const HAS_KEY = 64

interface Options {
  /** The origin of the page that asks. */
  origin: string
  /** Whether the device verifies its user, such as by fingerprint. */
  verifies?: boolean
}

/** A device's passkey, and its responses to pages of an origin. */
export function createAuthenticator() {
  const id = randomBytes(32)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  let counter = 0

  const dataFor = (rpId: string, flags: number, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter++)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more])
  }
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const flagsOf = ({ verifies = true }: Options) => PRESENT | (verifies ? VERIFIED : 0)
  const common = { id: base64(id), rawId: base64(id), type: 'public-key', clientExtensionResults: {} }

  return {
    id: base64(id),
    /** Answers `navigator.credentials.create`. */
    create(options: { challenge: string; rp: { id: string } }, page: Options) {
      const key = new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.from([0, id.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, encode(key)])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', dataFor(options.rp.id, flagsOf(page) | HAS_KEY, credential)],
      ])
      const clientDataJSON = base64(clientData('webauthn.create', options.challenge, page.origin))
      const response = { clientDataJSON, attestationObject: base64(encode(attestation)), transports: ['internal'] }
      return { ...common, response }
    },
    /** Answers `navigator.credentials.get`. */
    get(options: { challenge: string; rpId: string }, page: Options) {
      const data = dataFor(options.rpId, flagsOf(page))
      const client = clientData('webauthn.get', options.challenge, page.origin)
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey)
      const response = {
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(signature),
      }
      return { ...common, response }
    },
  }
}

/** The codes of an authenticator app. @param base32 the key as typed into the app */
export function appFor(base32: string) {
  const letters = [...base32.replaceAll(' ', '')]
  const bits = letters.map((it) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(it).toString(2).padStart(5, '0')).join('')
  return createOTP(Buffer.from(bits.match(/.{8}/g)?.map((it) => Number.parseInt(it, 2)) ?? []).toString())
}
