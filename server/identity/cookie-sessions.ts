import { LRUCache } from 'lru-cache'
import { unauthenticated } from '../errors.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Identity } from './auth.ts'
import type { BearerTokens } from './bearer-tokens.ts'

const COOKIE = /(?:^|; ?)((?:__Secure-)?parley\.session_token=[^;]{1,500})/
/** A page requests many pictures at once, so its session is looked up once in this time. */
const CACHE_MS = 30_000
/** Of an entry, besides its cookie. */
const ENTRY_BYTES = 500

/** Finds users by their session cookie. Sessions are cached, but revocations apply at once, as for tokens. */
export function createCookieSessions(identity: Identity, tokens: BearerTokens, bounds: Bounds) {
  const cached = new LRUCache<string, { userId: string; sessionId: string }>({
    maxSize: bounds.cacheBytes.cookies,
    sizeCalculation: (_, cookie) => 2 * cookie.length + ENTRY_BYTES,
    ttl: CACHE_MS,
  })

  /** @returns the user's id. @throws AppError 401 if the cookie belongs to no live session */
  return async (header = ''): Promise<string> => {
    const [, cookie] = COOKIE.exec(header) ?? []
    if (!cookie) throw unauthenticated()
    const session = cached.get(cookie) ?? (await identity.sessionOf(cookie))
    if (!session || tokens.isRevoked(session.sessionId)) throw unauthenticated()
    cached.set(cookie, session, { noUpdateTTL: true })
    return session.userId
  }
}
