import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { unauthenticated } from '../errors.ts'

/** Who a bearer token speaks for, and until when (seconds since 1970). */
export interface Session {
  userId: string
  sessionId: string
  expiresAt: number
}

export interface Sessions {
  /** @throws AppError 401 for a token that is malformed, not ours, expired, or whose session has ended. */
  verify(token: string): Promise<Session>
  isRevoked(sessionId: string): boolean
  /** Takes the sessions that ended, here or on another node. */
  revoke(sessionIds: readonly string[]): void
  /** What was revoked before the last such call is older than any token. */
  forgetOld(): void
}

interface Options {
  keys: () => Promise<JSONWebKeySet>
  /** Sessions that have ended already. */
  ended: readonly string[]
  /** A token of the session was used here. */
  onUse: (sessionId: string) => void
  /** A session ended. */
  onRevoked: (sessionId: string) => void
}

const CACHED_TOKENS = 20_000
const LONGEST_TOKEN = 2_000

/** Verifies tokens: a signature costs 150 µs, so once each. */
export async function openSessions({ keys, ended, onUse, onRevoked }: Options): Promise<Sessions> {
  const verified = new Map<string, Session>()
  // No token is made for a session once its end can be seen, and each dies by itself within the hour. So what was read
  // before the last two calls of `forgetOld`, which are further apart, is needed no more.
  let revoked = new Set(ended)
  let revokedBefore = new Set<string>()
  // Asked before anybody is let in: the first to ask makes the key, and two at once would make two.
  await keys()
  const keyFor = keyring(keys)

  const isRevoked = (sessionId: string) => revoked.has(sessionId) || revokedBefore.has(sessionId)

  function revoke(sessionIds: readonly string[]) {
    for (const sessionId of sessionIds) {
      if (isRevoked(sessionId)) continue
      revoked.add(sessionId)
      onRevoked(sessionId)
    }
  }

  function forgetOld() {
    revokedBefore = revoked
    revoked = new Set()
  }

  async function verify(token: string): Promise<Session> {
    let session = verified.get(token)
    if (!session) {
      session = await check(token, keyFor)
      verified.set(token, session)
      if (verified.size > CACHED_TOKENS) verified.delete(verified.keys().next().value as string)
    }
    if (session.expiresAt * 1000 <= Date.now() || isRevoked(session.sessionId)) {
      verified.delete(token)
      throw unauthenticated()
    }
    onUse(session.sessionId)
    return session
  }

  return { verify, isRevoked, revoke, forgetOld }
}

async function check(token: string, keyFor: JWTVerifyGetKey): Promise<Session> {
  if (token.length > LONGEST_TOKEN) throw unauthenticated()
  try {
    const { payload } = await jwtVerify(token, keyFor, {
      issuer: 'parley',
      audience: 'parley',
      requiredClaims: ['exp'],
    })
    if (typeof payload.sub !== 'string' || typeof payload['sid'] !== 'string') throw unauthenticated()
    return { userId: payload.sub, sessionId: payload['sid'], expiresAt: payload.exp as number }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw unauthenticated()
    throw error
  }
}

/** Milliseconds between two readings of the keys. */
const KEYS_EVERY = 1000

/**
 * The identity's keys, read again when a token names one that is not among them: it may be new, made by another node.
 * At most once a second; who comes in between waits for the next reading, so that no garbage keeps a good token out.
 */
function keyring(keys: () => Promise<JSONWebKeySet>): JWTVerifyGetKey {
  let known: JWTVerifyGetKey | undefined
  let readAt = 0
  let reading: Promise<JWTVerifyGetKey> | undefined
  async function read() {
    await sleep(Math.max(0, readAt + KEYS_EVERY - Date.now()))
    readAt = Date.now()
    known = createLocalJWKSet(await keys())
    return known
  }
  const readOnce = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return async (header, token) => {
    try {
      if (known) return await known(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
    }
    return (await readOnce())(header, token)
  }
}
