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
import { owesSecondFactor } from './factors/demand.ts'
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

/** Carries the rate-limit key of the client's address to Better Auth; auth-routes.ts drops any such header from outside. */
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
  end(sessionId: string): Promise<void>
  /** The URL that ends the session at the hosted provider; null if there is none. @param origin our own */
  providerSignOut(session: HostedSession, origin: string): Promise<string | null>
  /** Whose session the provider says has ended there; undefined for a token that is not its word. */
  readProviderLogout(token: string): Promise<ProviderLogout | undefined>
  close(): Promise<void>
}

interface HostedSession {
  id: string
  providerToken: string | null
}

interface Options extends Arrivals {
  config: Config
  /** For our own queries, so that they need none of the library's few connections, even inside its transactions. */
  db: Db
  databaseUrl: string
  secret: string
  log: Logger
  onDiskFull: () => void
}

/** What happens to the library's users, accounts and sessions before they are stored, and after. */
function recordHooks(options: Options): NonNullable<BetterAuthOptions['databaseHooks']> {
  const { config, db } = options
  const { disown, completeSignIn } = createSignInCompletion(options)
  return {
    user: {
      create: {
        before: async (user, context) => ({
          data: await prepareUser({ db, config }, user, context?.path, context?.body),
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
          // It ends at once; this is in case the node dies in between.
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

/** Better Auth, which does passwords, sessions and bearer tokens, as Parley uses it. */
function createAuth(options: Options, pool: pg.Pool, provider: HostedProvider | undefined) {
  const { config, db, secret, log } = options
  return betterAuth({
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
        return guardSignIn({ config, db, challenge }, context)
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
  // A pool of its own, because it needs dates where our queries need ISO strings.
  const pool = openPool(databaseUrl, {
    max: config.databaseConnections.identity,
    onError: ({ message }) => log.warn({ reason: message }, 'a database connection of the authentication was lost'),
    onDiskFull,
  })
  deleteLibrarySettings()
  const provider = config.oidc && hostedProvider(config.oidc, db, log)
  const auth = createAuth(options, pool, provider)

  async function sessionOf(cookie: string) {
    const request = { headers: new Headers({ cookie }), query: { disableRefresh: true } }
    // The library's error has no reason; its database not responding is the only one known.
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
    end: async (sessionId) => void (await db.deleteFrom('sessions').where('id', '=', sessionId).execute()),
    providerSignOut: async ({ providerToken }, origin) =>
      provider && providerToken !== null ? provider.signOutUrl(providerToken, `${origin}/sign-in`) : null,
    readProviderLogout: async (token) =>
      provider?.readLogout(token).catch((error) => {
        log.warn({ reason: reasonOf(error) }, 'a logout token of the identity provider was refused')
        return undefined
      }),
    close: () => pool.end(),
  }
}
