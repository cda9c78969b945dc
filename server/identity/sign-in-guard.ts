import { createHash, randomBytes } from 'node:crypto'
import { problem } from '#contract/errors'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { countAttempt } from '../limits/attempts.ts'
import { refusal } from './identity-refusal.ts'
import { admit } from './sign-up-policy.ts'

interface Options {
  config: Config
  db: Db
}

interface AuthRequest {
  path: string
  body?: Record<string, unknown>
}

/** Attempts per account from all addresses. Beyond them even the right password is refused. `window` is in seconds. */
const ATTEMPTS_PER_ACCOUNT = { window: 600, max: 30 }

/** Runs before Better Auth's own handlers: counts attempts per account, and refuses sign-ups before they reveal anything. */
export async function guardSignIn({ config, db }: Options, { path, body = {} }: AuthRequest) {
  if (config.oidc?.only && /^\/sign-(in\/(email|username)|up)/.test(path))
    throw refusal('FORBIDDEN', 'PROVIDER_ONLY', problem('errors.providerOnly', { provider: config.oidc.name }))
  // Before the library reveals which addresses and names are taken.
  if (path === '/sign-up/email') await admit(db, config.signUp, body['invite'])
  const field = path === '/sign-in/email' ? 'email' : path === '/sign-in/username' ? 'username' : undefined
  const name = field && body[field]
  if (typeof name !== 'string') return undefined
  const person = await findAccount(db, field as 'email' | 'username', name)
  // Counted per account, whichever name is used; unknown names count too, so that they look the same.
  if (config.rateLimit) await countSignInAttempt(db, person?.id ?? name.toLowerCase())
  // The library refuses invalid names itself.
  if (field === 'email' || person?.hasPassword || !/^[a-z0-9._-]{3,30}$/i.test(name)) return undefined
  // The library responds faster for a user without a password than for an unknown one, so the name is replaced.
  return { context: { body: { ...body, username: randomBytes(15).toString('hex') } } }
}

async function countSignInAttempt(db: Db, account: string) {
  const { allowed, retryAfter } = await countAttempt(db, `account ${digest(account)}`, ATTEMPTS_PER_ACCOUNT)
  if (allowed) return
  const headers = { 'retry-after': String(retryAfter) }
  throw refusal('TOO_MANY_REQUESTS', 'TOO_MANY_TRIES', 'errors.tooManyAttempts', headers)
}

/** Hashed, so that the table does not reveal what was typed. */
const digest = (name: string) => createHash('sha256').update(name).digest('base64url')

/** Finds a user as the library does. */
function findAccount(db: Db, field: 'email' | 'username', name: string) {
  return db
    .selectFrom('users')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.userId', '=', 'users.id').on('accounts.providerId', '=', 'credential'),
    )
    .select(['users.id', (row) => row('accounts.id', 'is not', null).as('hasPassword')])
    .where(`users.${field}`, '=', name.toLowerCase())
    .executeTakeFirst()
}
