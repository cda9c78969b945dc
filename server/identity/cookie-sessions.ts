import { LRUCache } from 'lru-cache'
import { secondFactorNeeded, unauthenticated } from '../errors.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Identity } from './auth.ts'
import type { BearerTokens } from './bearer-tokens.ts'
import type { SessionCookieReader } from './session-cookie.ts'

/** A page requests many pictures at once, so its session is cached for this long. */
const CACHE_MS = 30_000
/** Overhead per entry. */
const ENTRY_BYTES = 500

export type UserOfCookie = ReturnType<typeof createCookieSessions>

/** Finds users by their session cookie. Sessions are cached, but revocations apply immediately, as for tokens. */
export function createCookieSessions(
  sessionCookieIn: SessionCookieReader,
  identity: Identity,
  tokens: BearerTokens,
  bounds: Bounds,
) {
  const cached = new LRUCache<string, { userId: string; sessionId: string }>({
    maxSize: bounds.cacheBytes.cookies,
    sizeCalculation: (_, cookie) => 2 * cookie.length + ENTRY_BYTES,
    ttl: CACHE_MS,
  })

  async function readSession(cookie: string) {
    const session = await identity.sessionOf(cookie)
    if (session && (await identity.owesSecondFactor(session.sessionId))) throw secondFactorNeeded()
    return session
  }

  /** @returns the user's id. @throws AppError 401 if the cookie belongs to no live session */
  return async (header?: string): Promise<string> => {
    const cookie = sessionCookieIn(header)
    if (!cookie) throw unauthenticated()
    const session = cached.get(cookie) ?? (await readSession(cookie))
    if (!session) throw unauthenticated()
    await tokens.requireLive(session.sessionId)
    cached.set(cookie, session, { noUpdateTTL: true })
    return session.userId
  }
}
