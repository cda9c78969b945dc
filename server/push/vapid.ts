import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import webPush from 'web-push'
import type { Config } from '../config/config.ts'
import type { PushKeys } from './push-keys.ts'

/** A push service refuses more than 24 hours by its own clock. */
const TOKEN_SECONDS = 12 * 3600
/** Long before it expires, should the clocks differ. */
const RENEW_MS = 6 * 3_600_000
/** People choose the origins. */
const MAX_ORIGINS = 1000

/** Apple refuses them, as it does `localhost`: nobody can be reached there. */
const RESERVED_ENDING =
  /\.(local|localhost|localdomain|internal|intranet|invalid|test|example|lan|home|corp|arpa|onion)$/
/** No address to complain to is known. Apple and Mozilla refuse a request without one, and accept this. */
const NO_CONTACT = 'mailto:noreply@example.com'

/** Whom a push service contacts about the pushes of this workspace: its address, or the one that its mail comes from. */
export function pushContact({ publicUrl, mail }: Pick<Config, 'publicUrl' | 'mail'>): string {
  if (publicUrl?.startsWith('https:') && isPublicName(new URL(publicUrl).hostname)) return publicUrl
  if (mail && isPublicName(mail.from.address.replace(/.*@/, ''))) return `mailto:${mail.from.address}`
  return NO_CONTACT
}

const isPublicName = (host: string) =>
  host.includes('.') && isIP(host) === 0 && !host.startsWith('[') && !RESERVED_ENDING.test(host.toLowerCase())

/** Signs requests to push services (VAPID, RFC 8292). A token is for one origin, and is used for some hours. */
export function createVapid({ publicKey, privateKey }: PushKeys, contact: string) {
  const signed = new LRUCache<string, { header: string; at: number }>({ max: MAX_ORIGINS })
  return {
    /** The Authorization header for requests to an origin. */
    header(origin: string): string {
      const now = Date.now()
      const known = signed.get(origin)
      // A clock that was put back would have signed for too long.
      if (known && now >= known.at && now < known.at + RENEW_MS) return known.header
      const expiry = Math.floor(now / 1000) + TOKEN_SECONDS
      const headers = webPush.getVapidHeaders(origin, contact, publicKey, privateKey, 'aes128gcm', expiry)
      signed.set(origin, { header: headers.Authorization, at: now })
      return headers.Authorization
    },
    /** Signs the next request to an origin anew: it refused, maybe because of the clock. */
    forget: (origin: string) => void signed.delete(origin),
  }
}
