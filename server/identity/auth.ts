import { APIError, betterAuth } from 'better-auth'
import { createAuthMiddleware, getOAuthState, isAPIError } from 'better-auth/api'
import { jwt } from 'better-auth/plugins/jwt'
import { username } from 'better-auth/plugins/username'
import type { JSONWebKeySet } from 'jose'
import { problem } from '#contract/errors'
import { PROVIDER } from '#contract/identity'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import { shownText } from '#contract/text'
import { isUsername } from '#contract/users'
import type { Config } from '../config/config.ts'
import { type Db, openPool } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import { unavailable } from '../errors.ts'
import { countAttempt } from '../limits/attempts.ts'
import type { Logger } from '../process/logger.ts'
import { looksLikeAssistant } from '../text/lookalike-names.ts'
import { refusal } from './identity-refusal.ts'
import { currentHostedSignIn, hostedProvider } from './oidc.ts'
import { guardSignIn } from './sign-in-guard.ts'
import { admit } from './sign-up-policy.ts'

/** Carries the rate-limit key of the client's address to Better Auth; auth-routes.ts drops any such header from outside. */
export const CLIENT_ADDRESS = 'x-parley-client'

export interface Identity {
  /** Handles a request below /api/auth. */
  handle(request: Request): Promise<Response>
  /** The public keys that bearer tokens are signed with. */
  keys(): Promise<JSONWebKeySet>
  /** The live session of a cookie header, if any. @throws AppError 503 */
  sessionOf(cookie: string): Promise<{ userId: string; sessionId: string } | undefined>
  /** The live session of a cookie header, with the hosted provider's token if that started it. */
  hostedSession(cookie: string | undefined): Promise<HostedSession | undefined>
  end(sessionId: string): Promise<void>
  /** The URL that ends the session at the hosted provider; null if there is none. @param origin our own */
  providerSignOut(session: HostedSession, origin: string): Promise<string | null>
  close(): Promise<void>
}

interface HostedSession {
  id: string
  providerToken: string | null
}

interface Options {
  config: Config
  /** For our own queries, so that they need none of the library's few connections, even inside its transactions. */
  db: Db
  databaseUrl: string
  secret: string
  log: Logger
  /** Called before a sign-in or sign-up succeeds; false refuses it. */
  onArrival(userId: string): Promise<boolean>
}

const DAY_SECONDS = 24 * 3600

/** Configures Better Auth, which does passwords, sessions and bearer tokens. */
export function createIdentity({ config, db, databaseUrl, secret, log, onArrival }: Options): Identity {
  // A pool of its own, because it needs dates where our queries need ISO strings.
  const pool = openPool(databaseUrl, {
    max: config.databaseConnections.identity,
    onError: ({ message }) => log.warn({ reason: message }, 'a database connection of the authentication was lost'),
  })
  deleteLibrarySettings()
  const provider = config.oidc && hostedProvider(config.oidc, db, log)
  const auth = betterAuth({
    ...(config.publicUrl && { baseURL: config.publicUrl }),
    // The request's own host is trusted by http and https, because a proxy may terminate TLS.
    trustedOrigins: (request) => {
      const host = request && !config.publicUrl && new URL(request.url).host
      return host ? [`http://${host}`, `https://${host}`].map((url) => new URL(url).origin) : []
    },
    basePath: '/api/auth',
    secret,
    database: pool,
    telemetry: { enabled: false },
    logger: { level: 'error', log: (level, message, ...more) => log[level]({ more }, message) },
    onAPIError: {
      // Where the provider's callback redirects if it fails before the starting page is known.
      errorURL: '/sign-in',
      // Refusals are not logged; unknown errors go to our own error handler.
      onError: (error) => {
        if (!isAPIError(error)) throw error
        if (error.statusCode >= 500) log.error({ err: error }, 'authentication failed')
      },
    },
    emailAndPassword: {
      enabled: !config.oidc?.only,
      minPasswordLength: limits.password.min,
      maxPasswordLength: limits.password.max,
    },
    user: {
      modelName: 'users',
      additionalFields: {
        role: { type: 'string', input: false, required: false },
        isWelcomed: { type: 'boolean', input: false, required: false },
        language: { type: 'string', input: false, required: false },
        inviteId: { type: 'string', input: false, required: false, returned: false },
        isFounder: { type: 'boolean', input: false, required: false, returned: false },
      },
    },
    session: {
      modelName: 'sessions',
      expiresIn: 30 * DAY_SECONDS,
      updateAge: DAY_SECONDS,
      additionalFields: { providerToken: { type: 'string', input: false, required: false, returned: false } },
    },
    account: {
      modelName: 'accounts',
      updateAccountOnSignIn: false,
      // We never verify addresses ourselves, so the provider's verification counts; `disown` makes that safe.
      accountLinking: { requireLocalEmailVerified: false },
    },
    verification: { modelName: 'verifications' },
    hooks: { before: createAuthMiddleware((context) => guardSignIn({ config, db }, context)) },
    databaseHooks: {
      user: {
        create: { before: async (user, context) => ({ data: await prepareUser(user, context?.path, context?.body) }) },
        update: { before: async (changes) => refuseNames(changes) },
      },
      account: {
        create: {
          before: async (account) => {
            if (account.userId === ASSISTANT) throw refusal('FORBIDDEN', 'DEACTIVATED', 'errors.assistantAccount')
            if (account.providerId === PROVIDER) await disown(account.userId)
            // We never call the provider's API, so its tokens are not stored.
            return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
          },
        },
      },
      session: {
        create: {
          before: async (session) => ({
            data: { ...session, providerToken: (await currentHostedSignIn())?.token ?? null },
          }),
          after: async ({ id, userId }, context) => completeSignIn(id, userId, context?.path),
        },
      },
    },
    plugins: [
      username({
        minUsernameLength: limits.username.min,
        maxUsernameLength: limits.username.max,
        // At sign-in it is called before normalization.
        usernameValidator: (name) => isUsername(name.toLowerCase()),
        validationOrder: { username: 'post-normalization' },
      }),
      jwt({
        disableSettingJwtHeader: true,
        schema: { jwks: { modelName: 'signing_keys' } },
        // Old keys are kept until the last token they signed has expired.
        jwks: { rotationInterval: 30 * DAY_SECONDS, gracePeriod: DAY_SECONDS },
        jwt: {
          expirationTime: '1h',
          issuer: 'parley',
          audience: 'parley',
          // The library adds `sub`. Without a time of issue, tokens of the same session and expiry are equal.
          definePayload: ({ session }) => ({ sid: session.id, iat: undefined }),
        },
      }),
      ...(provider ? [provider.plugin] : []),
    ],
    rateLimit: {
      enabled: config.rateLimit,
      window: 60,
      max: 600,
      customStorage: { consume: (key, rule) => countAttempt(db, key, rule) },
      customRules: { '/sign-in/*': { window: 60, max: 20 }, '/sign-up/*': { window: 60, max: 20 } },
    },
    advanced: {
      // Explicit, because the library's default depends on the environment.
      disableOriginCheck: false,
      // Browsers ignore secure cookies on plain http, except on localhost.
      useSecureCookies: config.publicUrl?.startsWith('https:') ?? false,
      cookiePrefix: 'parley',
      database: { generateId: newId },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS] },
    },
  })
  /** Checks whether a new user may sign up, and sets their name. */
  async function prepareUser(user: { name?: string; username?: unknown }, path = '', body?: { invite?: unknown }) {
    const isHosted = path.startsWith('/callback')
    const code = isHosted ? (await getOAuthState())?.['invite'] : body?.invite
    const admission = await admit(db, config.signUp, code)
    // No picture: it would be loaded from another host, which could then see who reads what.
    const accepted = { ...user, ...admission, image: null }
    if (!isHosted) return { ...accepted, name: nameOf(user) }
    const name = shownText(user.name ?? '')
      .trim()
      .slice(0, limits.personName)
      .toWellFormed()
    return { ...accepted, name: name && !looksLikeAssistant(name) ? name : String(user.username) }
  }

  /**
   * Removes all ways into an account whose address was never verified, before it is linked to the address's proven owner:
   * somebody else may have created it.
   */
  async function disown(userId: string) {
    const unverified = db.selectFrom('users').select('id').where('id', '=', userId).where('emailVerified', '=', false)
    await db.deleteFrom('accounts').where('userId', 'in', unverified).execute()
    await db.deleteFrom('sessions').where('userId', 'in', unverified).execute()
  }

  /**
   * Whether the account used for this sign-in still exists. Called after the session is stored: since accounts are deleted
   * before sessions, a concurrent deletion either shows here or deletes the session.
   */
  async function accountExists(userId: string) {
    const hosted = await currentHostedSignIn()
    const account = await db
      .selectFrom('accounts')
      .select('id')
      .where('userId', '=', userId)
      .where('providerId', '=', hosted ? PROVIDER : 'credential')
      .$if(hosted !== undefined, (query) => query.where('accountId', '=', hosted?.accountId ?? ''))
      .executeTakeFirst()
    return account !== undefined
  }

  async function completeSignIn(sessionId: string, userId: string, path = '') {
    const refuse = async (error: APIError) => {
      await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
      throw error
    }
    if (!(await accountExists(userId))) await refuse(wrongPassword(path))
    if (!(await onArrival(userId))) await refuse(refusal('FORBIDDEN', 'DEACTIVATED', 'errors.deactivated'))
    const sessions = db.selectFrom('sessions').select('id').where('userId', '=', userId)
    const newest = sessions.orderBy('createdAt', 'desc').limit(limits.sessions)
    await db.deleteFrom('sessions').where('userId', '=', userId).where('id', 'not in', newest).execute()
  }

  async function sessionOf(cookie: string) {
    const request = { headers: new Headers({ cookie }), query: { disableRefresh: true } }
    // The library's error has no reason; its database not responding is the only one known.
    const found = await auth.api.getSession(request).catch(() => {
      throw unavailable()
    })
    return found ? { userId: found.session.userId, sessionId: found.session.id } : undefined
  }

  return {
    handle: auth.handler,
    keys: () => auth.api.getJwks() as Promise<JSONWebKeySet>,
    sessionOf,
    hostedSession: async (cookie = '') => {
      const id = (await sessionOf(cookie))?.sessionId
      if (id === undefined) return undefined
      return db.selectFrom('sessions').select(['id', 'providerToken']).where('id', '=', id).executeTakeFirst()
    },
    end: async (sessionId) => void (await db.deleteFrom('sessions').where('id', '=', sessionId).execute()),
    providerSignOut: async ({ providerToken }, origin) =>
      provider && providerToken !== null ? provider.signOutUrl(providerToken, `${origin}/sign-in`) : null,
    close: () => pool.end(),
  }
}

/** The same error that the library throws. */
function wrongPassword(path: string) {
  if (path.startsWith('/callback'))
    return new APIError('UNAUTHORIZED', { code: 'account_not_linked', message: 'Account not linked' })
  const by = path.endsWith('/username') ? 'USERNAME' : 'EMAIL'
  const message = `Invalid ${by.toLowerCase()} or password`
  return new APIError('UNAUTHORIZED', { code: `INVALID_${by}_OR_PASSWORD`, message })
}

/** Names change only through our own call, which validates and publishes them. */
async function refuseNames(changes: object) {
  if (['name', 'username', 'displayUsername', 'image'].some((field) => field in changes))
    throw refusal('FORBIDDEN', 'NAMES_ELSEWHERE', 'errors.namesElsewhere')
}

function nameOf(user: { name?: string; username?: unknown }): string {
  if (typeof user.username !== 'string') throw refusal('BAD_REQUEST', 'USERNAME_REQUIRED', 'errors.usernameRequired')
  const name = shownText(user.name ?? '').trim() || user.username
  if (looksLikeAssistant(name)) throw refusal('BAD_REQUEST', 'NAME_RESERVED', 'errors.nameReserved')
  if (name.length > limits.personName)
    throw refusal('BAD_REQUEST', 'NAME_TOO_LONG', problem('errors.nameTooLong', { max: limits.personName }))
  return name
}

/** Deletes environment variables that the library would read, bypassing our configuration. */
function deleteLibrarySettings() {
  for (const name of Object.keys(process.env)) {
    if (/^(NEXT_PUBLIC_|PUBLIC_|NUXT_PUBLIC_)?(BETTER_)?AUTH_|^BASE_URL$/.test(name)) delete process.env[name]
  }
}
