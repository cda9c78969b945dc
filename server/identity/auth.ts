import { APIError, betterAuth } from 'better-auth'
import { createAuthMiddleware, getOAuthState, isAPIError } from 'better-auth/api'
import { jwt } from 'better-auth/plugins/jwt'
import { username } from 'better-auth/plugins/username'
import type { JSONWebKeySet } from 'jose'
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
import { hostedArrival, hostedProvider } from './oidc.ts'
import { guardSignIn } from './sign-in-guard.ts'
import { admit } from './sign-up-policy.ts'

/** Carries the rate-limit key of the client's address to Better Auth; auth-routes.ts drops any such header from outside. */
export const CLIENT_ADDRESS = 'x-parley-client'

export interface Identity {
  /** Answers every call below /api/auth. */
  handle(request: Request): Promise<Response>
  /** The public keys that bearer tokens are signed with. */
  keys(): Promise<JSONWebKeySet>
  /** Whose session a cookie header carries; undefined where none lives. @throws AppError 503 */
  sessionOf(cookie: string): Promise<{ userId: string; sessionId: string } | undefined>
  /** The session behind a cookie header, if one lives; with the token of the hosted provider that it was begun by. */
  hostedSession(cookie: string | undefined): Promise<HostedSession | undefined>
  end(sessionId: string): Promise<void>
  /** Where the browser ends the session at the hosted provider too; null where there is none. @param origin ours */
  providerSignOut(session: HostedSession, origin: string): Promise<string | null>
  close(): Promise<void>
}

interface HostedSession {
  id: string
  providerToken: string | null
}

interface Options {
  config: Config
  /** For questions of our own, also within its transactions: never one of the few connections those hold. */
  db: Db
  databaseUrl: string
  secret: string
  log: Logger
  /** Called after a person signed in or up, before they hear of it; false where they may not come in. */
  onArrival(userId: string): Promise<boolean>
}

const DAY = 24 * 3600

/** Passwords, sessions and bearer tokens; all of it is Better Auth, this page only says how Parley wants it. */
export function openIdentity({ config, db, databaseUrl, secret, log, onArrival }: Options): Identity {
  // Its own few connections: it wants dates where our queries want ISO strings.
  const pool = openPool(databaseUrl, {
    max: 6,
    onError: ({ message }) => log.warn({ reason: message }, 'a database connection of the identity was lost'),
  })
  forgetSettings()
  const provider = config.oidc && hostedProvider(config.oidc, db, log)
  const auth = betterAuth({
    ...(config.publicUrl && { baseURL: config.publicUrl }),
    // A page on the host that a request came to is trusted, by http or https: a proxy may have taken the TLS off.
    trustedOrigins: (request) => {
      const host = request && !config.publicUrl && new URL(request.url).host
      return host ? [`http://${host}`, `https://${host}`].map((it) => new URL(it).origin) : []
    },
    basePath: '/api/auth',
    secret,
    database: pool,
    telemetry: { enabled: false },
    logger: { level: 'error', log: (level, message, ...more) => log[level]({ more }, message) },
    onAPIError: {
      // Where the provider's way back ends when it fails before it is known from which page it began.
      errorURL: '/sign-in',
      // A refusal is an answer and nothing to log; whatever else goes wrong is told as every failure of ours is.
      onError: (error) => {
        if (!isAPIError(error)) throw error
        if (error.statusCode >= 500) log.error({ err: error }, 'identity failed')
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
        inviteId: { type: 'string', input: false, required: false, returned: false },
        isFounder: { type: 'boolean', input: false, required: false, returned: false },
      },
    },
    session: {
      modelName: 'sessions',
      expiresIn: 30 * DAY,
      updateAge: DAY,
      additionalFields: { providerToken: { type: 'string', input: false, required: false, returned: false } },
    },
    account: {
      modelName: 'accounts',
      updateAccountOnSignIn: false,
      // Nobody's address is proven here, so that the provider's word about it is what counts; `disown` makes it safe.
      accountLinking: { requireLocalEmailVerified: false },
    },
    verification: { modelName: 'verifications' },
    hooks: { before: createAuthMiddleware((context) => guardSignIn({ config, db }, context)) },
    databaseHooks: {
      user: {
        create: { before: async (user, context) => ({ data: await newcomer(user, context?.path, context?.body) }) },
        update: { before: async (changes) => refuseNames(changes) },
      },
      account: {
        create: {
          before: async (account) => {
            if (account.userId === ASSISTANT)
              throw new APIError('FORBIDDEN', { code: 'DEACTIVATED', message: 'Nobody can sign in as the assistant' })
            if (account.providerId === PROVIDER) await disown(account.userId)
            // What the provider's own calls would take is not kept.
            return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
          },
        },
      },
      session: {
        create: {
          before: async (session) => ({ data: { ...session, providerToken: (await hostedArrival())?.token ?? null } }),
          after: async ({ id, userId }, context) => arrive(id, userId, context?.path),
        },
      },
    },
    plugins: [
      username({
        minUsernameLength: limits.username.min,
        maxUsernameLength: limits.username.max,
        // Asked before normalisation when somebody signs in.
        usernameValidator: (name) => isUsername(name.toLowerCase()),
        validationOrder: { username: 'post-normalization' },
      }),
      jwt({
        disableSettingJwtHeader: true,
        schema: { jwks: { modelName: 'signing_keys' } },
        // An old key is still known when the last token it signed has ended.
        jwks: { rotationInterval: 30 * DAY, gracePeriod: DAY },
        jwt: {
          expirationTime: '1h',
          issuer: 'parley',
          audience: 'parley',
          // `sub` comes by itself; the time of issue is not needed and would make no token equal another.
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
      // Said, because the library's default differs between environments.
      disableOriginCheck: false,
      // On plain http off localhost a browser keeps no secure cookie.
      useSecureCookies: config.publicUrl?.startsWith('https:') ?? false,
      cookiePrefix: 'parley',
      database: { generateId: newId },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS] },
    },
  })
  /** Someone new: whether they may come in, by which name. */
  async function newcomer(user: { name?: string; username?: unknown }, path = '', body?: { invite?: unknown }) {
    const isHosted = path.startsWith('/callback')
    const code = isHosted ? (await getOAuthState())?.['invite'] : body?.invite
    const admission = await admit(db, config.signUp, code)
    // A picture would be loaded from another address, which then sees who reads what.
    const person = { ...user, ...admission, image: null }
    if (!isHosted) return { ...person, name: nameOf(user) }
    const name = shownText(user.name ?? '')
      .trim()
      .slice(0, limits.personName)
      .toWellFormed()
    return { ...person, name: name && !looksLikeAssistant(name) ? name : String(user.username) }
  }

  /**
   * Before an account that stood under an unproven address becomes its owner's: whoever made it keeps no way in,
   * neither their password, nor what the provider once said without vouching for it, nor their sessions.
   */
  async function disown(userId: string) {
    const unproven = db.selectFrom('users').select('id').where('id', '=', userId).where('emailVerified', '=', false)
    await db.deleteFrom('accounts').where('userId', 'in', unproven).execute()
    await db.deleteFrom('sessions').where('userId', 'in', unproven).execute()
  }

  /**
   * Whether the account that somebody comes in by is still there, asked when their session is written. What takes an
   * account away, takes it before the sessions: it has either taken this one, or the account is gone by now.
   */
  async function accountStands(userId: string) {
    const hosted = await hostedArrival()
    const account = await db
      .selectFrom('accounts')
      .select('id')
      .where('userId', '=', userId)
      .where('providerId', '=', hosted ? PROVIDER : 'credential')
      .$if(hosted !== undefined, (it) => it.where('accountId', '=', hosted?.accountId ?? ''))
      .executeTakeFirst()
    return account !== undefined
  }

  async function arrive(sessionId: string, userId: string, path = '') {
    const refuse = async (error: APIError) => {
      await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
      throw error
    }
    if (!(await accountStands(userId))) await refuse(wrongPassword(path))
    if (!(await onArrival(userId)))
      await refuse(new APIError('FORBIDDEN', { code: 'DEACTIVATED', message: 'This account has been deactivated' }))
    const kept = db.selectFrom('sessions').select('id').where('userId', '=', userId)
    const newest = kept.orderBy('createdAt', 'desc').limit(limits.sessions)
    await db.deleteFrom('sessions').where('userId', '=', userId).where('id', 'not in', newest).execute()
  }

  async function sessionOf(cookie: string) {
    const asked = { headers: new Headers({ cookie }), query: { disableRefresh: true } }
    // The library knows no error but "it failed", and fails where its database does not answer.
    const found = await auth.api.getSession(asked).catch(() => {
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

/** As the library says it, and the next try hears it. */
function wrongPassword(path: string) {
  if (path.startsWith('/callback'))
    return new APIError('UNAUTHORIZED', { code: 'account_not_linked', message: 'Account not linked' })
  const by = path.endsWith('/username') ? 'USERNAME' : 'EMAIL'
  const message = `Invalid ${by.toLowerCase()} or password`
  return new APIError('UNAUTHORIZED', { code: `INVALID_${by}_OR_PASSWORD`, message })
}

/** Names change by a call of ours alone, which judges them and tells everybody. */
async function refuseNames(changes: object) {
  if (['name', 'username', 'displayUsername', 'image'].some((it) => it in changes))
    throw new APIError('FORBIDDEN', { code: 'NAMES_ELSEWHERE', message: 'Names are changed by PATCH /api/users/me' })
}

function nameOf(user: { name?: string; username?: unknown }): string {
  if (typeof user.username !== 'string')
    throw new APIError('BAD_REQUEST', { code: 'USERNAME_REQUIRED', message: 'A username is required' })
  const name = shownText(user.name ?? '').trim() || user.username
  if (looksLikeAssistant(name))
    throw new APIError('BAD_REQUEST', { code: 'NAME_RESERVED', message: 'This name is reserved for the assistant' })
  if (name.length > limits.personName) {
    throw new APIError('BAD_REQUEST', {
      code: 'NAME_TOO_LONG',
      message: `Use at most ${limits.personName} characters`,
    })
  }
  return name
}

/** The library would read these from the environment, past config.ts. */
function forgetSettings() {
  for (const name of Object.keys(process.env)) {
    if (/^(NEXT_PUBLIC_|PUBLIC_|NUXT_PUBLIC_)?(BETTER_)?AUTH_|^BASE_URL$/.test(name)) delete process.env[name]
  }
}
