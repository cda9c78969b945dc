import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type PasswordReset, PROVIDER, type SignOutAnswer, type SignOutRequest } from '#contract/identity'
import { NewPassword } from '#contract/password'
import { storable } from '#contract/text'
import { sourceOf } from '../audit/write-audit.ts'
import type { Config } from '../config/config.ts'
import { notFound } from '../errors.ts'
import { isSameOrigin } from '../http/caller.ts'
import { withDeadline } from '../http/deadline.ts'
import type { NoteRefusedOrigin } from '../http/refused-origins.ts'
import { readNotificationSettings } from '../people/notification-levels.ts'
import { isAsked, readPerson } from '../people/profiles.ts'
import { read } from '../route.ts'
import { CLIENT_ADDRESS, type Identity } from './auth.ts'
import type { DeviceSecrets } from './device-secret.ts'
import { mountEntry } from './entry-routes.ts'
import { giveDevice, readDevice } from './factors/known-devices.ts'
import { logFailedSignIn, noteSignIn } from './note-sign-in.ts'
import { passHeaders, sendResponse } from './pass-response.ts'
import { personOfReset, resetPassword } from './password-resets.ts'
import type { SignInAttempt } from './passwords.ts'
import { mountProviderLogout } from './provider-logout.ts'
import { withoutSession } from './session-cookie.ts'
import { readEntry } from './workspace-entry.ts'

/** Small, because these bodies are read before authentication. */
const MAX_BODY_BYTES = 16 * 1024

type Schema = z.ZodMiniType

/** A route of Better Auth. Fields missing from the schemas are removed from its input and output. */
interface AuthRoute {
  method: 'GET' | 'POST'
  path: `/${string}`
  input?: Schema
  output: Schema
}

const text = z.optional(z.string().check(storable))
const password = z.optional(z.string())
const Person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  image: z.optional(z.nullable(z.string())),
  username: z.optional(z.nullable(z.string())),
  displayUsername: z.optional(z.nullable(z.string())),
  role: z.optional(z.nullable(z.string())),
  may: z.optional(z.array(z.string())),
  guestUntil: z.optional(z.nullable(z.string())),
  mutedUntil: z.optional(z.nullable(z.string())),
  needsSecondFactor: z.optional(z.boolean()),
  secondFactorAt: z.optional(z.nullable(z.string())),
  workspaceName: z.optional(z.string()),
  hasEditHistory: z.optional(z.boolean()),
  notificationLevel: z.optional(z.string()),
  keywords: z.optional(z.array(z.string())),
  needsSetUp: z.optional(z.boolean()),
  isDemo: z.optional(z.boolean()),
  isAskedToOwn: z.optional(z.boolean()),
  isWelcomed: z.optional(z.nullable(z.boolean())),
  isUnconfirmed: z.optional(z.boolean()),
  language: z.optional(z.nullable(z.string())),
  color: z.optional(z.nullable(z.int())),
})
const SignedInUser = z.object({ user: Person })
/** The redirect means that the password was right, and a second factor is required. */
const SignedIn = z.union([SignedInUser, z.object({ twoFactorRedirect: z.literal(true) })])
const Code = z.object({ code: z.string().check(storable) })

/** The only routes of the library that are mounted. */
const ROUTES: AuthRoute[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    input: z.object({ name: text, username: text, email: text, password, invite: text }),
    output: SignedInUser,
  },
  { method: 'POST', path: '/sign-in/email', input: z.object({ email: text, password }), output: SignedIn },
  { method: 'POST', path: '/sign-in/username', input: z.object({ username: text, password }), output: SignedIn },
  { method: 'POST', path: '/two-factor/verify-totp', input: Code, output: SignedInUser },
  { method: 'POST', path: '/two-factor/verify-backup-code', input: Code, output: SignedInUser },
  {
    method: 'GET',
    path: '/passkey/generate-authenticate-options',
    output: z.object({ challenge: z.string(), rpId: z.string(), timeout: z.optional(z.number()) }),
  },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    input: z.object({ response: z.record(z.string(), z.unknown()) }),
    output: SignedInUser,
  },
  { method: 'GET', path: '/token', output: z.object({ token: z.string() }) },
  { method: 'GET', path: '/jwks', output: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
]

const SESSION: AuthRoute = { method: 'GET', path: '/get-session', output: z.nullable(SignedInUser) }
const SIGN_OUT: AuthRoute = { method: 'POST', path: '/sign-out', input: z.object({}), output: z.unknown() }
const SignOutInput = z.object({ keepsCookie: z.optional(z.boolean()) })

/** Redirects to the hosted provider, which redirects to the callback. */
const PROVIDER_SIGN_IN: AuthRoute = {
  method: 'POST',
  path: '/sign-in/social',
  input: z.object({
    provider: z.literal(PROVIDER),
    callbackURL: text,
    errorCallbackURL: text,
    disableRedirect: z.optional(z.boolean()),
    additionalData: z.optional(z.object({ invite: text })),
  }),
  output: z.object({ url: z.string() }),
}
const PROVIDER_CALLBACK: AuthRoute = { method: 'GET', path: `/callback/${PROVIDER}`, output: z.unknown() }
const CallbackQuery = z.object({ code: text, state: text, iss: text, error: text, error_description: text })

const ResetCode = z.string().check(z.maxLength(64))
const PasswordResetInput = z.object({ code: ResetCode, new: NewPassword })

/** The headers passed to the library. The client's address is passed separately. */
const PASSED_HEADERS = ['accept', 'cookie', 'origin', 'referer', 'user-agent']
const isPassed = (name: string) => PASSED_HEADERS.includes(name) || name.startsWith('sec-fetch-')

interface Options {
  identity: Identity
  deviceSecrets: DeviceSecrets
  config: Config
  secret: string
  noteRefusedOrigin: NoteRefusedOrigin
}

/** Mounts /api/auth: converts each request to a fetch `Request` for Better Auth, and its response back. */
export async function mountIdentity(app: FastifyInstance, options: Options) {
  const { identity, deviceSecrets, config, secret, noteRefusedOrigin } = options
  const { oidc } = config
  // Pages of other origins can post text/plain without a preflight request, so it is not parsed.
  app.removeContentTypeParser('text/plain')

  const mount = (route: AuthRoute) =>
    app.route({
      method: route.method,
      url: `/api/auth${route.path}`,
      bodyLimit: MAX_BODY_BYTES,
      handler: async (request, reply) => {
        const device = readDevice(request)
        const attempt: SignInAttempt = { device }
        const response = await withDeadline(answer(route, request, attempt))
        return sendResponse(response, route, request, reply, route.method === 'POST' ? device : undefined)
      },
    })

  async function answer(route: AuthRoute, request: FastifyRequest, attempt: SignInAttempt) {
    const response = await forward(route, request, '', attempt)
    await noteSignIn(app.db, request, route.path, attempt, response)
    return response
  }

  async function forward(
    { method, path, input }: AuthRoute,
    request: FastifyRequest,
    query = '',
    attempt: SignInAttempt = {},
  ) {
    const { caller } = request
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (value && isPassed(name)) headers.set(name, String(value))
    // These sign somebody in regardless of the current session.
    if (/^\/(two-factor|passkey)\//.test(path)) headers.set('cookie', withoutSession(headers.get('cookie')))
    headers.set(CLIENT_ADDRESS, caller.rateLimitKey)
    if (input) headers.set('content-type', 'application/json')
    const body = input ? JSON.stringify(read('body', input, request.body ?? {})) : null
    const asked = new Request(`${caller.origin}/api/auth${path}${query}`, { method, headers, body })
    attempt.isFromOperator = caller.isFromOperator
    attempt.log = request.log.child({ url: request.routeOptions.url })
    const response = await identity.handle(asked, attempt)
    const { origin } = request.headers
    if (response.status === 403 && origin && !isSameOrigin(origin, caller)) noteRefusedOrigin(origin, caller)
    return response
  }

  for (const each of ROUTES) mount(each)

  app.get(`/api/auth${SESSION.path}`, async (request, reply) => {
    const response = await withDeadline(forward(SESSION, request))
    // A failure says nothing about the session.
    if (response.ok) {
      const session = (await response.clone().json()) as {
        user: { id: string; emailVerified: boolean }
        session: { id: string }
      } | null
      if (session) deviceSecrets.give(request, reply)
      else deviceSecrets.take(request, reply)
      if (session) {
        const rights = await withDeadline(readPerson(app.db, session.user.id))
        const isAskedToOwn = await withDeadline(isAsked(app.db, session.user.id))
        const needsSecondFactor = await withDeadline(identity.owesSecondFactor(session.session.id))
        const secondFactorAt = await withDeadline(identity.secondFactorDue(session.session.id))
        const isUnconfirmed = config.mail !== undefined && !session.user.emailVerified
        const entry = await withDeadline(readEntry(app.db, config))
        const { name: workspaceName, keepsVersions: hasEditHistory, isSetUp, isDemo } = entry
        const { level, workspaceLevel, keywords } = await withDeadline(
          readNotificationSettings(app.db, session.user.id),
        )
        const needsSetUp = rights.role === 'owner' && !isSetUp && !isDemo
        const own = {
          needsSecondFactor,
          secondFactorAt,
          workspaceName,
          hasEditHistory,
          notificationLevel: level ?? workspaceLevel,
          keywords,
          needsSetUp,
          isDemo,
          isAskedToOwn,
          isUnconfirmed,
        }
        const withRights = { ...session, user: { ...session.user, ...rights, ...own } }
        const { status, headers } = response
        return sendResponse(Response.json(withRights, { status, headers }), SESSION, request, reply)
      }
    }
    return sendResponse(response, SESSION, request, reply)
  })

  app.post(`/api/auth${SIGN_OUT.path}`, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const { keepsCookie = false }: SignOutRequest = read('body', SignOutInput, request.body ?? {})
    const session = await withDeadline(identity.hostedSession(request.headers.cookie))
    const response = await withDeadline(forward(SIGN_OUT, request))
    if (!response.ok) return sendResponse(response, SIGN_OUT, request, reply)
    // The library reports success even if its database did not respond.
    if (session) await withDeadline(identity.end(session.id))
    app.pollSoon()
    const redirectTo = session ? await identity.providerSignOut(session, request.caller.origin) : null
    // The next user of this browser must not find cached pictures. Browsers obey this on https only.
    reply.header('clear-site-data', '"cache"')
    if (keepsCookie) response.headers.delete('set-cookie')
    else deviceSecrets.take(request, reply)
    passHeaders(response, request, reply)
    return { success: true, redirectTo } satisfies SignOutAnswer
  })

  mountEntry(app, config, secret)

  // The code is in the body, because proxies log URLs.
  app.post('/api/auth/password-reset/check', { bodyLimit: MAX_BODY_BYTES }, async (request): Promise<PasswordReset> => {
    const { code } = read('body', z.object({ code: ResetCode }), request.body)
    const person = await withDeadline(personOfReset(app.db, code))
    if (!person) throw notFound('errors.passwordLinkEnded')
    return { username: person.username }
  })
  app.post('/api/auth/password-reset', { bodyLimit: MAX_BODY_BYTES }, async (request): Promise<PasswordReset> => {
    const { code, new: next } = read('body', PasswordResetInput, request.body)
    const person = await withDeadline(resetPassword(app, { code, next, source: sourceOf(request) }))
    app.pollSoon()
    return person
  })

  if (!oidc) return
  mount(PROVIDER_SIGN_IN)
  await mountProviderLogout(app, identity)
  // The browser navigates here, so failures redirect to a page as well.
  app.get(`/api/auth${PROVIDER_CALLBACK.path}`, async (request, reply) => {
    try {
      const query = read('query', CallbackQuery, request.query) as Record<string, string>
      const device = readDevice(request)
      const attempt: SignInAttempt = { device }
      const response = await forward(PROVIDER_CALLBACK, request, `?${new URLSearchParams(query)}`, attempt)
      const location = response.headers.get('location')
      if (attempt.signedInBy) await noteSignIn(app.db, request, PROVIDER_CALLBACK.path, attempt, response)
      else
        logFailedSignIn(
          request,
          undefined,
          'provider',
          URL.parse(location ?? '', request.caller.origin)?.searchParams.get('error') ?? undefined,
        )
      if (location) {
        passHeaders(response, request, reply)
        giveDevice(device, request, reply)
        return await reply.redirect(location, response.status)
      }
      request.log.warn({ status: response.status }, 'sign-in with the provider ended without a redirect')
    } catch (error) {
      request.log.warn({ err: error }, 'sign-in with the provider failed')
    }
    return reply.redirect('/sign-in?error=failed')
  })
}
