import { createHash, randomBytes } from 'node:crypto'
import { problem } from '#contract/errors'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { rateLimited } from '../errors.ts'
import { countAttempt } from '../limits/attempts.ts'
import { challengedPerson, passkeyOwner, readRecoveryCode } from './factors/challenges.ts'
import { refusal } from './identity-refusal.ts'
import { signInInProgress } from './passwords.ts'
import { admit } from './sign-up-policy.ts'

interface Options {
  config: Config
  db: Db
  secret: string
  /** The signed cookie of a sign-in that waits for the second factor. */
  challenge: () => Promise<string | false | null>
}

interface AuthRequest {
  path: string
  body?: Record<string, unknown>
}

/** Per account, from all addresses. Beyond it even the right password is refused. `window` is in seconds. */
const ATTEMPTS_PER_ACCOUNT = { window: 600, max: 30 }

/** Runs before Better Auth's own handlers: counts attempts per account, and refuses sign-ups before they reveal anything. */
export async function guardSignIn(options: Options, { path, body = {} }: AuthRequest) {
  const { config, db, challenge } = options
  if (path.startsWith('/two-factor/')) return guardSecondFactor(db, await challenge(), path, body)
  if (config.oidc?.only && /^\/(sign-(in\/(email|username)|up)|passkey\/)/.test(path))
    throw refusal('FORBIDDEN', 'PROVIDER_ONLY', problem('errors.providerOnly', { provider: config.oidc.name }))
  if (path === '/passkey/verify-authentication') return guardPasskey(db, body['response'])
  // Before the library reveals which addresses and names are taken.
  if (path === '/sign-up/email') {
    await admit(options, body['invite'], body['email'])
    await refuseImported(db, body['email'])
  }
  const field = path === '/sign-in/email' ? 'email' : path === '/sign-in/username' ? 'username' : undefined
  const name = field && body[field]
  if (typeof name !== 'string') return undefined
  const person = await findAccount(db, field as 'email' | 'username', name)
  // Counted per account, whichever name is used. Unknown names are counted as well, so that they can't be told apart.
  if (config.rateLimit) await countSignInAttempt(db, person?.id ?? name.toLowerCase())
  const signIn = signInInProgress.getStore()
  if (signIn) {
    signIn.hash = person?.password ?? null
    signIn.hasSecondFactor = person?.twoFactorEnabled === true
    if (person) signIn.userId = person.id
  }
  // The library refuses invalid names itself.
  if (field === 'email' || person?.password || !/^[a-z0-9._-]{3,30}$/i.test(name)) return undefined
  // The library responds faster for a user without a password than for an unknown one, so replace the name.
  return { context: { body: { ...body, username: randomBytes(15).toString('hex') } } }
}

/** Records the password's hash: if it has changed since, the code alone must not sign in. */
async function guardSecondFactor(db: Db, challenge: string | false | null, path: string, body: { code?: unknown }) {
  const person = challenge ? await challengedPerson(db, challenge) : undefined
  const signIn = signInInProgress.getStore()
  if (signIn && person) Object.assign(signIn, { userId: person.id, hash: person.password })
  const code = String(body.code ?? '')
  const isRecovery = path === '/two-factor/verify-backup-code'
  return { context: { body: { code: isRecovery ? readRecoveryCode(code) : code.replaceAll(/\s/g, '') } } }
}

async function guardPasskey(db: Db, response: unknown) {
  const id = (response as { id?: unknown } | undefined)?.id
  const owner = typeof id === 'string' ? await passkeyOwner(db, id) : undefined
  const signIn = signInInProgress.getStore()
  if (signIn && owner) signIn.userId = owner.userId
  return undefined
}

/** An unverified address must not claim an imported account, which may contain private messages. */
async function refuseImported(db: Db, email: unknown) {
  if (typeof email !== 'string') return
  const unclaimed = db
    .selectFrom('imported_people')
    .innerJoin('users', 'users.id', 'imported_people.userId')
    .select('userId')
    .where('claimedAt', 'is', null)
    .where('email', '=', email.toLowerCase())
  if (await unclaimed.executeTakeFirst()) throw refusal('CONFLICT', 'IMPORTED_EMAIL', 'errors.importedEmail')
}

/** @param account the user's id, or the unknown name that was typed */
export const countPasswordAttempt = (db: Db, account: string) =>
  countAttempt(db, `account ${digest(account)}`, ATTEMPTS_PER_ACCOUNT)

/** Counted together with sign-ins, so that somebody at an open browser gets no extra attempts. @throws AppError 429 */
export async function countOwnAttempt({ config, db }: { config: Config; db: Db }, userId: string) {
  if (!config.rateLimit) return
  const { allowed, retryAfter } = await countPasswordAttempt(db, userId)
  if (!allowed) throw rateLimited(retryAfter, 'errors.tooManyAttempts')
}

async function countSignInAttempt(db: Db, account: string) {
  const { allowed, retryAfter } = await countPasswordAttempt(db, account)
  if (allowed) return
  const headers = { 'retry-after': String(retryAfter) }
  throw refusal('TOO_MANY_REQUESTS', 'TOO_MANY_TRIES', 'errors.tooManyAttempts', headers)
}

/** Hashed, so that the table does not reveal what was typed. */
const digest = (name: string) => createHash('sha256').update(name).digest('base64url')

/** Finds a user as the library does. */
export function findAccount(db: Db, field: 'email' | 'username', name: string) {
  return db
    .selectFrom('users')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.userId', '=', 'users.id').on('accounts.providerId', '=', 'credential'),
    )
    .select(['users.id', 'users.twoFactorEnabled', 'accounts.password'])
    .where(`users.${field}`, '=', name.toLowerCase())
    .executeTakeFirst()
}
