import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type InviteGreeting, PROVIDER, type SignInWays, type SignOutAnswer } from '#contract/identity'
import { storable } from '#contract/text'
import type { Config } from '../config/config.ts'
import { notFound } from '../errors.ts'
import { withDeadline } from '../http/deadline.ts'
import { read } from '../route.ts'
import { CLIENT_ADDRESS, type Identity } from './auth.ts'
import { liveInvite, signUpMode } from './sign-up-policy.ts'

/** Small, because these bodies are read before authentication. */
const MAX_BODY_BYTES = 16 * 1024

type Schema = z.ZodMiniType

/** A route of Better Auth. Fields that the schemas do not name are removed from its input and output. */
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
  isWelcomed: z.optional(z.nullable(z.boolean())),
  language: z.optional(z.nullable(z.string())),
})
const SignedInUser = z.object({ user: Person })

/** The only routes of the library that are mounted. */
const ROUTES: AuthRoute[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    input: z.object({ name: text, username: text, email: text, password, invite: text }),
    output: SignedInUser,
  },
  { method: 'POST', path: '/sign-in/email', input: z.object({ email: text, password }), output: SignedInUser },
  { method: 'POST', path: '/sign-in/username', input: z.object({ username: text, password }), output: SignedInUser },
  { method: 'GET', path: '/get-session', output: z.nullable(SignedInUser) },
  { method: 'GET', path: '/token', output: z.object({ token: z.string() }) },
  { method: 'GET', path: '/jwks', output: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
]

const SIGN_OUT: AuthRoute = { method: 'POST', path: '/sign-out', input: z.object({}), output: z.unknown() }

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

/** The headers passed to the library. The client's address is passed separately. */
const PASSED_HEADERS = ['accept', 'cookie', 'origin', 'referer', 'user-agent']
const isPassed = (name: string) => PASSED_HEADERS.includes(name) || name.startsWith('sec-fetch-')

/** Mounts /api/auth: converts each request to a fetch `Request` for Better Auth, and its response back. */
export async function mountIdentity(app: FastifyInstance, identity: Identity, config: Config) {
  const { oidc, signUp } = config
  // Pages of other origins can post text/plain without a preflight request, so it is not parsed.
  app.removeContentTypeParser('text/plain')

  const mount = (route: AuthRoute) =>
    app.route({
      method: route.method,
      url: `/api/auth${route.path}`,
      bodyLimit: MAX_BODY_BYTES,
      handler: async (request, reply) =>
        sendResponse(await withDeadline(forward(route, request)), route, request, reply),
    })

  function forward({ method, path, input }: AuthRoute, request: FastifyRequest, query = '') {
    const { caller } = request
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (value && isPassed(name)) headers.set(name, String(value))
    headers.set(CLIENT_ADDRESS, caller.rateLimitKey)
    if (input) headers.set('content-type', 'application/json')
    const body = input ? JSON.stringify(read('body', input, request.body ?? {})) : null
    return identity.handle(new Request(`${caller.origin}/api/auth${path}${query}`, { method, headers, body }))
  }

  for (const each of ROUTES) mount(each)

  app.post(`/api/auth${SIGN_OUT.path}`, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const session = await withDeadline(identity.hostedSession(request.headers.cookie))
    const response = await withDeadline(forward(SIGN_OUT, request))
    if (!response.ok) return sendResponse(response, SIGN_OUT, request, reply)
    // The library reports success even if its database did not respond.
    if (session) await withDeadline(identity.end(session.id))
    app.pollSoon()
    const redirectTo = session ? await identity.providerSignOut(session, request.caller.origin) : null
    // The next user of this browser must not find cached pictures. Browsers obey this on https only.
    reply.header('clear-site-data', '"cache"')
    passHeaders(response, request, reply)
    return { success: true, redirectTo } satisfies SignOutAnswer
  })

  app.get('/api/auth/ways', async (): Promise<SignInWays> => {
    const mode = await signUpMode(app.db, signUp)
    return { provider: oidc ? { name: oidc.name } : null, password: !oidc?.only, signUp: mode }
  })
  app.get('/api/auth/invite', async ({ query }): Promise<InviteGreeting> => {
    const { code } = query as { code?: unknown }
    const invite = typeof code === 'string' ? await liveInvite(app.db, code) : undefined
    if (!invite) throw notFound('errors.inviteNotFound')
    return { from: invite.name }
  })

  if (!oidc) return
  mount(PROVIDER_SIGN_IN)
  // The browser navigates here, so failures redirect to a page too.
  app.get(`/api/auth${PROVIDER_CALLBACK.path}`, async (request, reply) => {
    try {
      const query = read('query', CallbackQuery, request.query) as Record<string, string>
      const response = await forward(PROVIDER_CALLBACK, request, `?${new URLSearchParams(query)}`)
      const location = response.headers.get('location')
      if (location) {
        passHeaders(response, request, reply)
        return await reply.redirect(location, response.status)
      }
      request.log.warn({ status: response.status }, 'sign-in with the provider ended without a redirect')
    } catch (error) {
      request.log.warn({ err: error }, 'sign-in with the provider failed')
    }
    return reply.redirect('/sign-in?error=failed')
  })
}

/** Sends errors unchanged, with the library's codes, and successes as the route's output. */
async function sendResponse(response: Response, { output }: AuthRoute, request: FastifyRequest, reply: FastifyReply) {
  passHeaders(response, request, reply)
  const body: unknown = await response.json().catch(() => null)
  return reply.status(response.status).send(JSON.stringify(response.ok ? z.parse(output, body) : body))
}

function passHeaders({ headers }: Response, { caller }: FastifyRequest, reply: FastifyReply) {
  reply.type('application/json; charset=utf-8')
  const retryAfter = headers.get('retry-after') ?? headers.get('x-retry-after')
  if (retryAfter) reply.header('retry-after', retryAfter)
  // The library does not know if a proxy terminated TLS.
  for (const cookie of headers.getSetCookie()) {
    const lacksSecure = caller.isSecure && !/;\s*secure/i.test(cookie)
    reply.header('set-cookie', lacksSecure ? `${cookie}; Secure` : cookie)
  }
}
