import { APIError, betterAuth } from 'better-auth'
import { isAPIError } from 'better-auth/api'
import { jwt } from 'better-auth/plugins/jwt'
import { username } from 'better-auth/plugins/username'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { JSONWebKeySet } from 'jose'
import { limits } from '#contract/limits'
import { UNSEEN } from '#contract/text'
import { isUsername } from '#contract/users'
import type { Config } from './config.ts'
import { openPool } from './db/database.ts'
import { newId } from './ids.ts'
import { inTime } from './in-time.ts'

export interface Identity {
  /** Answers every call below /api/auth. */
  handle(request: Request): Promise<Response>
  /** The public keys that bearer tokens are signed with. */
  keys(): Promise<JSONWebKeySet>
  /** Whose session a cookie header carries; undefined where none lives. */
  sessionOf(cookie: string): Promise<{ userId: string; sessionId: string } | undefined>
  close(): Promise<void>
}

interface Options {
  config: Config
  databaseUrl: string
  secret: string
  log: FastifyBaseLogger
  /** Called after a person signed in or up, before they hear of it; false where they may not come in. */
  onArrival(userId: string): Promise<boolean>
}

/** Carries the address of the one who asks to the identity's rate limit; a value from outside never gets through. */
const CLIENT_ADDRESS = 'x-parley-client'

/** Passwords, sessions and bearer tokens; all of it is Better Auth, this page only says how Parley wants it. */
export function openIdentity({ config, databaseUrl, secret, log, onArrival }: Options): Identity {
  // Its own few connections: it wants dates where our queries want ISO strings.
  const pool = openPool(databaseUrl, {
    max: 6,
    onError: ({ message }) => log.warn({ reason: message }, 'a database connection of the identity was lost'),
  })
  forgetSettings()
  const auth = betterAuth({
    ...(config.publicUrl && { baseURL: config.publicUrl }),
    // A page on the host that a request came to is trusted, by http or https: a proxy may have taken the TLS off.
    trustedOrigins: (request) => {
      const host = request && !config.publicUrl && new URL(request.url).host
      return host ? [`http://${host}`, `https://${host}`] : []
    },
    basePath: '/api/auth',
    secret,
    database: pool,
    telemetry: { enabled: false },
    logger: { level: 'error', log: (level, message, ...more) => log[level]({ more }, message) },
    onAPIError: {
      // A refusal is an answer and nothing to log; whatever else goes wrong is told as every failure of ours is.
      onError: (error) => {
        if (!isAPIError(error)) throw error
        if (error.statusCode >= 500) log.error({ err: error }, 'identity failed')
      },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: limits.password.min,
      maxPasswordLength: limits.password.max,
    },
    // Names change through our own call, which tells the others.
    disabledPaths: ['/update-user', '/change-email', '/delete-user'],
    user: { modelName: 'users', additionalFields: { role: { type: 'string', input: false, required: false } } },
    session: { modelName: 'sessions', expiresIn: 30 * 24 * 3600, updateAge: 24 * 3600 },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: { ...user, name: nameOf(user) } }) } },
      session: { create: { after: async ({ id, userId }) => arrive(id, userId) } },
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
        jwt: {
          expirationTime: '1h',
          issuer: 'parley',
          audience: 'parley',
          // `sub` comes by itself; the time of issue is not needed and would make no token equal another.
          definePayload: ({ session }) => ({ sid: session.id, iat: undefined }),
        },
      }),
    ],
    rateLimit: {
      enabled: config.rateLimit,
      window: 60,
      max: 600,
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
  async function arrive(sessionId: string, userId: string) {
    if (await onArrival(userId)) return
    await pool.query('delete from sessions where id = $1', [sessionId])
    throw new APIError('FORBIDDEN', { code: 'DEACTIVATED', message: 'This account was deactivated' })
  }

  return {
    handle: auth.handler,
    keys: () => auth.api.getJwks() as Promise<JSONWebKeySet>,
    sessionOf: async (cookie) => {
      const asked = { headers: new Headers({ cookie }), query: { disableRefresh: true } }
      const found = await auth.api.getSession(asked)
      return found ? { userId: found.session.userId, sessionId: found.session.id } : undefined
    },
    close: () => pool.end(),
  }
}

function nameOf(user: { name?: string; username?: unknown }): string {
  if (typeof user.username !== 'string')
    throw new APIError('BAD_REQUEST', { code: 'USERNAME_REQUIRED', message: 'A username is required' })
  const name = (user.name ?? '').replace(UNSEEN, '').trim() || user.username
  if (name.length > limits.personName) {
    throw new APIError('BAD_REQUEST', {
      code: 'NAME_TOO_LONG',
      message: `A name has at most ${limits.personName} characters`,
    })
  }
  return name
}

/** Mounts /api/auth: hands each request over as the fetch standard knows it, and its answer back. */
export function mountIdentity(app: FastifyInstance, identity: Identity) {
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    handler: async (request, reply) => {
      const answer = await inTime(identity.handle(toFetch(request)))
      reply.status(answer.status)
      for (const [name, value] of answer.headers) reply.header(name, value)
      return reply.send(await answer.text())
    },
  })
}

function toFetch(request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (value) headers.set(name, String(value))
  headers.set(CLIENT_ADDRESS, request.ip)
  const body = request.body === undefined ? null : JSON.stringify(request.body)
  return new Request(`${request.protocol}://${request.host}${request.url}`, { method: request.method, headers, body })
}

/** The library would read these from the environment, past config.ts. */
function forgetSettings() {
  for (const name of Object.keys(process.env)) {
    if (/^(NEXT_PUBLIC_|PUBLIC_|NUXT_PUBLIC_)?(BETTER_)?AUTH_|^BASE_URL$/.test(name)) delete process.env[name]
  }
}
