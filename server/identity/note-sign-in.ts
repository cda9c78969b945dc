import type { FastifyRequest } from 'fastify'
import { sourceOf, writeAudit } from '../audit/write-audit.ts'
import type { Db } from '../db/database.ts'
import { wayOf } from './complete-sign-in.ts'
import type { SignInAttempt } from './passwords.ts'
import { findAccount } from './sign-in-guard.ts'

/** Routes that complete a sign-in or its first step. */
const SIGN_IN = /^\/(sign-in\/(email|username)|two-factor\/.+|passkey\/verify-authentication)$/
const REFUSED = [401, 403]
const TOO_MANY = 429
const isRefusal = (path: string, status: number) => SIGN_IN.test(path) && [...REFUSED, TOO_MANY].includes(status)

/**
 * Records the outcome of a sign-in: in the log for programs such as fail2ban, and in the audit log if it was refused. Neither
 * contains what was typed, which may be a password in the wrong field. Too many attempts are only logged. Never rejects.
 * @param path below /api/auth
 */
export async function noteSignIn(
  db: Db,
  request: FastifyRequest,
  path: string,
  attempt: SignInAttempt,
  answer: Response,
) {
  const { status } = answer
  if (!attempt.signedInBy && !isRefusal(path, status)) return
  try {
    const person = await personOf(db, request, attempt)
    if (attempt.signedInBy) return logSignIn(request, person?.username, attempt.signedInBy)
    const { code } = (await answer.clone().json()) as { code?: string }
    logFailedSignIn(request, person?.username, wayOf(path), code)
    if (REFUSED.includes(status)) await recordRefusal(db, request, person?.id)
  } catch (err) {
    request.log.error({ err }, 'could not record a sign-in')
  }
}

function logSignIn({ log, caller: { address } }: FastifyRequest, account: string | null = null, method: string) {
  log.info({ address, account, method }, 'signed in')
}

/** Keep this text, and these fields in this order: docs/running/as-a-service.md has a filter for them. */
export function logFailedSignIn(
  { log, caller: { address } }: FastifyRequest,
  account: string | null = null,
  method: string,
  reason = 'unknown',
) {
  log.warn({ address, account, method, reason }, 'sign-in failed')
}

/** The person whose account it is, if there is one. */
async function personOf(db: Db, request: FastifyRequest, { userId }: SignInAttempt) {
  const { email, username } = (request.body ?? {}) as { email?: unknown; username?: unknown }
  const [field, name] = typeof email === 'string' ? (['email', email] as const) : (['username', username] as const)
  const id = userId ?? (typeof name === 'string' ? (await findAccount(db, field, name))?.id : undefined)
  if (id === undefined) return undefined
  return db.selectFrom('users').select(['id', 'username']).where('id', '=', id).executeTakeFirst()
}

const recordRefusal = (db: Db, request: FastifyRequest, personId: string | null = null) =>
  writeAudit(db, { kind: 'sign_in_refused', actorId: null, personId, ...sourceOf(request) })
