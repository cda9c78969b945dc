import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { createAuthMiddleware, isAPIError } from 'better-auth/api'
import type { JSONWebKeySet } from 'jose'
import type pg from 'pg'
import { PROVIDER } from '#contract/identity'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import type { Config } from '../config/config.ts'
import { type Db, openPool } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import { reasonOf, unavailable } from '../errors.ts'
import { countAttempt } from '../limits/attempts.ts'
import type { Logger } from '../process/logger.ts'
import { models } from './auth-models.ts'
import { authPlugins } from './auth-plugins.ts'
import { type Arrivals, createSignInCompletion, wayOf } from './complete-sign-in.ts'
import { owesSecondFactor, secondFactorDue } from './factors/demand.ts'
import { refusal } from './identity-refusal.ts'
import { libraryLog, loggedError } from './library-log.ts'
import { deleteLibrarySettings } from './library-settings.ts'
import { repeatLostSignUp } from './lost-races.ts'
import { refuseNames } from './new-names.ts'
import { prepareUser } from './new-user.ts'
import { currentHostedSignIn, type HostedProvider, hostedProvider } from './oidc.ts'
import type { ProviderLogout } from './oidc-tokens.ts'
import { type SignInAttempt, signInInProgress } from './passwords.ts'
import { areCookiesSecure } from './session-cookie.ts'
import { guardSignIn } from './sign-in-guard.ts'

/** Passes the rate-limit key of the client's address to Better Auth; auth-routes.ts drops such a header of a client. */
export const CLIENT_ADDRESS = 'x-parley-client'

export interface Identity {
  /** Handles a request below /api/auth. */
  handle(request: Request, attempt: SignInAttempt): Promise<Response>
  /** The public keys that bearer tokens are signed with. */
  keys(): Promise<JSONWebKeySet>
  /** The live session of a cookie header, if any. @throws AppError 503 */
  sessionOf(cookie: string): Promise<{ userId: string; sessionId: string } | undefined>
  /** The live session of a cookie header, with the hosted provider's token if that started it. */
  hostedSession(cookie: string | undefined): Promise<HostedSession | undefined>
  /** Whether a session may only set up a second factor. */
  owesSecondFactor(sessionId: string): Promise<boolean>
  /** See `secondFactorDue`. */
  secondFactorDue(sessionId: string): Promise<string | null>
  end(sessionId: string): Promise<void>
  /** The URL that ends the session at the hosted provider; null if there is none. @param origin our own */
  providerSignOut(session: HostedSession, origin: string): Promise<string | null>
  /** The sessions that the provider has ended according to a logout token; undefined for an invalid token. */
  readProviderLogout(token: string): Promise<ProviderLogout | undefined>
  close(): Promise<void>
}

interface HostedSession {
  id: string
  providerToken: string | null
}

interface Options extends Arrivals {
  config: Config
  /** For our own queries, so that they don't take the library's few connections, even inside its transactions. */
  db: Db
  databaseUrl: string
  secret: string
  log: Logger
  onDiskFull: () => void
}

/** Hooks that run before and after the library stores users, accounts and sessions. */
function recordHooks(options: Options): NonNullable<BetterAuthOptions['databaseHooks']> {
  const { config, db, secret } = options
  const { disown, completeSignIn } = createSignInCompletion(options)
  return {
    user: {
      create: {
        before: async (user, context) => ({
          data: await prepareUser({ db, config, secret }, user, context?.path, context?.body),
        }),
      },
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
        before: async (session, context) => {
          const { token = null, sid = null } = (await currentHostedSignIn()) ?? {}
          const signedInBy = wayOf(context?.path)
          // It is replaced immediately; the expiry is in case the node dies in between.
          const soon = signedInBy === 'pending' && { expiresAt: new Date(Date.now() + 60_000) }
          return { data: { ...session, providerToken: token, providerSid: sid, signedInBy, ...soon } }
        },
        after: async ({ id, userId }, context) => completeSignIn(id, userId, context?.path),
      },
    },
  }
}

const rateLimit = ({ config, db }: Options): BetterAuthOptions['rateLimit'] => ({
  enabled: config.rateLimit,
  window: 60,
  max: 600,
  customStorage: {
    consume: async (key, rule) =>
      signInInProgress.getStore()?.isRepeated ? { allowed: true, retryAfter: null } : countAttempt(db, key, rule),
  },
  customRules: {
    '/sign-in/*': { window: 60, max: 20 },
    '/sign-up/*': { window: 60, max: 20 },
    '/two-factor/*': { window: 60, max: 20 },
    '/passkey/*': { window: 60, max: 40 },
  },
})

/** Configures Better Auth, which handles passwords, sessions and bearer tokens. */
function createAuth(options: Options, pool: pg.Pool, provider: HostedProvider | undefined) {
  const { config, db, secret, log } = options
  return betterAuth({
    ...(config.publicUrl && { baseURL: config.publicUrl }),
    // Trust the request's own host over both http and https, because a proxy may terminate TLS.
    trustedOrigins: (request) => {
      const host = request && !config.publicUrl && new URL(request.url).host
      return host ? [`http://${host}`, `https://${host}`].map((url) => new URL(url).origin) : []
    },
    basePath: '/api/auth',
    secret,
    database: pool,
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (level, message, ...more) => {
        const attempt = signInInProgress.getStore()
        const failure = loggedError(message, more)
        if (failure && attempt) attempt.failure = failure
        libraryLog(attempt?.log ?? log)(level, message, more)
      },
    },
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
    ...models,
    hooks: {
      before: createAuthMiddleware((context) => {
        const cookie = context.context.createAuthCookie('two_factor').name
        const challenge = () => context.getSignedCookie(cookie, context.context.secret)
        return guardSignIn({ config, db, secret, challenge }, context)
      }),
    },
    databaseHooks: recordHooks(options),
    plugins: authPlugins(db, provider),
    rateLimit: rateLimit(options),
    advanced: {
      // Explicit, because the library's default depends on the environment.
      disableOriginCheck: false,
      useSecureCookies: areCookiesSecure(config),
      cookiePrefix: 'parley',
      database: { generateId: newId },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS] },
    },
  })
}

/** Opens the identity's own connections to the database. */
export function createIdentity(options: Options): Identity {
  const { config, db, databaseUrl, log, onDiskFull } = options
  // A separate pool, because the library needs dates where our queries need ISO strings.
  const pool = openPool(databaseUrl, {
    max: config.databaseConnections.identity,
    onError: ({ message }) => log.warn({ reason: message }, 'lost a database connection of the identity'),
    onDiskFull,
  })
  deleteLibrarySettings()
  const provider = config.oidc && hostedProvider(config.oidc, db, log)
  const auth = createAuth(options, pool, provider)

  async function sessionOf(cookie: string) {
    const request = { headers: new Headers({ cookie }), query: { disableRefresh: true } }
    // The library's error has no cause; a database that doesn't respond is the only known one.
    const found = await auth.api.getSession(request).catch((error) => {
      throw unavailable(error)
    })
    return found ? { userId: found.session.userId, sessionId: found.session.id } : undefined
  }

  return {
    handle: (request, attempt) =>
      repeatLostSignUp(attempt, () => signInInProgress.run(attempt, () => auth.handler(request.clone()))),
    keys: () => auth.api.getJwks() as Promise<JSONWebKeySet>,
    sessionOf,
    hostedSession: async (cookie = '') => {
      const id = (await sessionOf(cookie))?.sessionId
      if (id === undefined) return undefined
      return db.selectFrom('sessions').select(['id', 'providerToken']).where('id', '=', id).executeTakeFirst()
    },
    owesSecondFactor: (sessionId) => owesSecondFactor(db, sessionId),
    secondFactorDue: (sessionId) => secondFactorDue(db, sessionId),
    end: async (sessionId) => void (await db.deleteFrom('sessions').where('id', '=', sessionId).execute()),
    providerSignOut: async ({ providerToken }, origin) =>
      provider && providerToken !== null ? provider.signOutUrl(providerToken, `${origin}/sign-in`) : null,
    readProviderLogout: async (token) =>
      provider?.readLogout(token).catch((error) => {
        log.warn({ reason: reasonOf(error) }, 'refused a logout token of the identity provider')
        return undefined
      }),
    close: () => pool.end(),
  }
}
