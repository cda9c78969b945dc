import { LRUCache } from 'lru-cache'
import { unauthenticated } from '../errors.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Identity } from './auth.ts'
import type { Sessions } from './bearer-tokens.ts'

const COOKIE = /(?:^|; ?)((?:__Secure-)?parley\.session_token=[^;]{1,500})/
/** A page asks for many pictures at once: the session behind its cookie is looked up once in so many milliseconds. */
const KEPT = 30_000
/** Bytes that an entry takes besides its cookie. */
const ENTRY = 500

/** Knows people by their session's cookie; its end is noticed as a token's is, whatever is remembered here. */
export function cookieSessions(identity: Identity, sessions: Sessions, bounds: Bounds) {
  const known = new LRUCache<string, { userId: string; sessionId: string }>({
    maxSize: bounds.cacheBytes.cookies,
    sizeCalculation: (_, cookie) => 2 * cookie.length + ENTRY,
    ttl: KEPT,
  })

  /** @throws AppError 401 where no session lives behind it */
  return async (header = ''): Promise<string> => {
    const [, cookie] = COOKIE.exec(header) ?? []
    if (!cookie) throw unauthenticated()
    const session = known.get(cookie) ?? (await identity.sessionOf(cookie))
    if (!session || sessions.isRevoked(session.sessionId)) throw unauthenticated()
    known.set(cookie, session, { noUpdateTTL: true })
    return session.userId
  }
}
