import { createHash, randomBytes } from 'node:crypto'
import { APIError } from 'better-auth'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { countAttempt } from '../limits/attempts.ts'
import { admit } from './sign-up-policy.ts'

interface Options {
  config: Config
  db: Db
}

interface Asked {
  path: string
  body?: Record<string, unknown>
}

/** Tries at one account, from wherever they come: beyond them even the right password waits. */
const PER_ACCOUNT = { window: 600, max: 30 }

/** What stands before the identity's own work: tries counted by account, and nothing told to whoever may not sign up. */
export async function guardSignIn({ config, db }: Options, { path, body = {} }: Asked) {
  if (config.oidc?.only && /^\/sign-(in\/(email|username)|up)/.test(path))
    throw new APIError('FORBIDDEN', { code: 'PROVIDER_ONLY', message: `Sign in with ${config.oidc.name}` })
  // Before it says whose address or name is taken.
  if (path === '/sign-up/email') await admit(db, config.signUp, body['invite'])
  const way = path === '/sign-in/email' ? 'email' : path === '/sign-in/username' ? 'username' : undefined
  const name = way && body[way]
  if (typeof name !== 'string') return undefined
  const person = await called(db, way as 'email' | 'username', name)
  // By whatever name it is tried, an account is one; nobody's name counts by itself, so that it looks the same.
  if (config.rateLimit) await countTry(db, person?.id ?? name.toLowerCase())
  // A name that cannot be one is refused as such.
  if (way === 'email' || person?.hasPassword || !/^[a-z0-9._-]{3,30}$/i.test(name)) return undefined
  // The library answers at once for a person without a password; for nobody it takes its time, as for everybody.
  return { context: { body: { ...body, username: randomBytes(15).toString('hex') } } }
}

async function countTry(db: Db, account: string) {
  const { allowed, retryAfter } = await countAttempt(db, `account ${digest(account)}`, PER_ACCOUNT)
  if (allowed) return
  throw new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_TRIES', message: 'Too many login attempts for this account; try again later' },
    { 'retry-after': String(retryAfter) },
  )
}

/** A hash of so many names is short, and tells nobody who looks into the table what was typed. */
const digest = (name: string) => createHash('sha256').update(name).digest('base64url')

/** Whom a name or an address means, as the library finds them. */
function called(db: Db, way: 'email' | 'username', name: string) {
  return db
    .selectFrom('users')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.userId', '=', 'users.id').on('accounts.providerId', '=', 'credential'),
    )
    .select(['users.id', (row) => row('accounts.id', 'is not', null).as('hasPassword')])
    .where(`users.${way}`, '=', name.toLowerCase())
    .executeTakeFirst()
}
