import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import { unauthenticated } from './errors.ts'

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
  stop(): void
}

interface Options {
  db: Db
  keys: () => Promise<JSONWebKeySet>
  log: FastifyBaseLogger
  /** A token of the session was used here. */
  onUse: (sessionId: string) => void
  /** A session ended, here or on another node, within the last second. */
  onRevoked: (sessionId: string) => void
}

/** A session's end is known everywhere within a second: twice the poll, and room for the query. */
const POLL = 400
/** Revocations are read with this overlap, because a later commit can carry an earlier time. */
const OVERLAP = 10
const TOKEN_LIFE = 3600
const CACHED_TOKENS = 20_000
const LONGEST_TOKEN = 2_000

/** Verifies tokens (a signature costs 150 µs, so once each) and watches for sessions that end. */
export async function watchSessions({ db, keys, log, onUse, onRevoked }: Options): Promise<Sessions> {
  const verified = new Map<string, Session>()
  const revoked = new Map<string, number>()
  // Asked before anybody is let in: the first to ask makes the key, and two at once would make two.
  await keys()
  const keyFor = keyring(keys)

  async function look(seconds: number) {
    const rows = await db.selectFrom('revocations').select('sessionId').where('revokedAt', '>', ago(seconds)).execute()
    for (const { sessionId } of rows) {
      if (revoked.has(sessionId)) continue
      revoked.set(sessionId, Date.now())
      onRevoked(sessionId)
    }
  }

  // A token cannot outlive its hour, so neither need the memory of its session's end.
  let forgotAt = Date.now()
  async function forget() {
    if (Date.now() - forgotAt < TOKEN_LIFE * 1000) return
    forgotAt = Date.now()
    for (const [sessionId, at] of revoked) if (at < forgotAt - 2 * TOKEN_LIFE * 1000) revoked.delete(sessionId)
    await db
      .deleteFrom('revocations')
      .where('revokedAt', '<', ago(2 * TOKEN_LIFE))
      .execute()
  }

  let lookedAt = Date.now()
  await look(TOKEN_LIFE)
  let stopped = false
  let timer: NodeJS.Timeout
  const poll = async () => {
    const startedAt = Date.now()
    try {
      // After an outage of the database the look goes back over all of it.
      await look((startedAt - lookedAt) / 1000 + OVERLAP)
      lookedAt = startedAt
      await forget()
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'could not look for ended sessions')
    }
    if (!stopped) timer = setTimeout(poll, POLL)
  }
  timer = setTimeout(poll, POLL)

  async function verify(token: string): Promise<Session> {
    let session = verified.get(token)
    if (!session) {
      session = await check(token, keyFor)
      verified.set(token, session)
      if (verified.size > CACHED_TOKENS) verified.delete(verified.keys().next().value as string)
    }
    if (session.expiresAt * 1000 <= Date.now() || revoked.has(session.sessionId)) {
      verified.delete(token)
      throw unauthenticated()
    }
    onUse(session.sessionId)
    return session
  }

  return {
    verify,
    isRevoked: (sessionId) => revoked.has(sessionId),
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}

const ago = (seconds: number) => sql<string>`clock_timestamp() - make_interval(secs => ${seconds})`

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
