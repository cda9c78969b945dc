import { setTimeout as sleep } from 'node:timers/promises'
import DataLoader from 'dataloader'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { databaseTime } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import { unauthenticated } from '../errors.ts'

/** The session of a bearer token. `expiresAt` is in seconds since 1970. */
interface TokenSession {
  userId: string
  sessionId: string
  expiresAt: number
  /** Whether it may only set up the second factor that the owner demands. */
  isLimited: boolean
}

export interface BearerTokens {
  /** @throws AppError 401 for a token that is malformed, not ours, expired, or whose session has ended. */
  verify(token: string): Promise<TokenSession>
  isRevoked(sessionId: string): boolean
  /** @throws AppError 401 if the session has ended, 503 if that is unknown */
  requireLive(sessionId: string): Promise<void>
  /** Call with sessions that have ended on any node. */
  revoke(sessionIds: readonly string[]): void
  /** Call when the database may have been replaced: tokens are verified again, because their sessions may be lost. */
  forgetVerified(): void
  /** Call less often than tokens expire: drops revocations from before the previous call, whose tokens have all expired. */
  forgetOld(): void
}

interface Options {
  db: Db
  keys: () => Promise<JSONWebKeySet>
  /** Sessions that had ended before the start. */
  ended: readonly string[]
  /** Resolves when this node knows all sessions that ended more than a second ago. */
  untilFresh: () => Promise<void>
  /** Called when a token of the session was used here. */
  onUse: (sessionId: string) => void
  /** Called when a session has ended. */
  onRevoked: (sessionId: string) => void
}

export const TOKEN_LIFE_SECONDS = 3600
/** Ended sessions are remembered for two hours. A token valid for longer was signed while the database's clock was wrong. */
const MAX_LIFE_SECONDS = 2 * TOKEN_LIFE_SECONDS
const MAX_CACHED_TOKENS = 20_000
const MAX_TOKEN_CHARACTERS = 2_000

/** Verifies bearer tokens, each only once: the signature takes 150 µs, and the session a query. */
export async function createBearerTokens({
  db,
  keys,
  ended,
  untilFresh,
  onUse,
  onRevoked,
}: Options): Promise<BearerTokens> {
  const verified = new Map<string, TokenSession>()
  // Ended sessions get no new tokens, and tokens expire within an hour. `forgetOld` is called less often, so two generations
  // are enough.
  let revoked = new Set(ended)
  let revokedBefore = new Set<string>()
  // The first call creates the key, and concurrent calls would create several, so do it before anyone signs in.
  await keys()
  const keyFor = keyring(keys)
  const sessions = createSessionLoader(db)

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

  async function requireLive(sessionId: string) {
    await untilFresh()
    if (isRevoked(sessionId)) throw unauthenticated()
  }

  async function verify(token: string): Promise<TokenSession> {
    let session = verified.get(token)
    if (!session) {
      session = await check(token, keyFor)
      if (!(await sessions.load(session.sessionId))) throw unauthenticated()
      verified.set(token, session)
      if (verified.size > MAX_CACHED_TOKENS) verified.delete(verified.keys().next().value as string)
    }
    await untilFresh()
    if (!isInForce(session) || isRevoked(session.sessionId)) {
      verified.delete(token)
      throw unauthenticated()
    }
    onUse(session.sessionId)
    return session
  }

  return { verify, isRevoked, requireLive, revoke, forgetVerified: () => verified.clear(), forgetOld }
}

/** Checks whether sessions exist. Loads of one turn of the event loop share a query, as many clients may reconnect at once. */
function createSessionLoader(db: Db) {
  const load = async (ids: readonly string[]) => {
    const rows = await db.selectFrom('sessions').select('id').where('id', 'in', ids).execute()
    const existing = new Set(rows.map(({ id }) => id))
    return ids.map((id) => existing.has(id))
  }
  return new DataLoader(load, { cache: false, batchScheduleFn: setImmediate, maxBatchSize: 1000 })
}

function isInForce({ expiresAt }: TokenSession) {
  const left = expiresAt - databaseTime() / 1000
  return left > 0 && left <= MAX_LIFE_SECONDS
}

async function check(token: string, keyFor: JWTVerifyGetKey): Promise<TokenSession> {
  if (token.length > MAX_TOKEN_CHARACTERS) throw unauthenticated()
  try {
    const { payload } = await jwtVerify(token, keyFor, {
      issuer: 'parley',
      audience: 'parley',
      requiredClaims: ['exp'],
      currentDate: new Date(databaseTime()),
    })
    if (typeof payload.sub !== 'string' || typeof payload['sid'] !== 'string') throw unauthenticated()
    const isLimited = payload['limited'] === true
    return { userId: payload.sub, sessionId: payload['sid'], expiresAt: payload.exp as number, isLimited }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw unauthenticated()
    throw error
  }
}

const KEYS_INTERVAL_MS = 1000

/**
 * The signing keys, reloaded for a token with an unknown key, which another node may have just created. They are loaded at most
 * once a second; tokens in between wait for the next load, so that forged tokens can't lock out valid ones.
 */
function keyring(keys: () => Promise<JSONWebKeySet>): JWTVerifyGetKey {
  let known: JWTVerifyGetKey | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<JWTVerifyGetKey> | undefined
  async function read() {
    await sleep(Math.max(0, readAt + KEYS_INTERVAL_MS - performance.now()))
    readAt = performance.now()
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
