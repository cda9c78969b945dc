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

/** The identity's bodies hold a few names; they are read before it is known who asks. Bytes. */
const BODY = 16 * 1024

type Schema = z.ZodMiniType

/** A call of the identity: what of its input is handed on, and what of its answer is told; the rest stays here. */
interface Call {
  method: 'GET' | 'POST'
  path: `/${string}`
  takes?: Schema
  tells: Schema
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
})
const SignedIn = z.object({ user: Person })

/** What is mounted of the identity; the rest of what the library could do is not there. */
const CALLS: Call[] = [
  {
    method: 'POST',
    path: '/sign-up/email',
    takes: z.object({ name: text, username: text, email: text, password, invite: text }),
    tells: SignedIn,
  },
  { method: 'POST', path: '/sign-in/email', takes: z.object({ email: text, password }), tells: SignedIn },
  { method: 'POST', path: '/sign-in/username', takes: z.object({ username: text, password }), tells: SignedIn },
  { method: 'GET', path: '/get-session', tells: z.nullable(SignedIn) },
  { method: 'GET', path: '/token', tells: z.object({ token: z.string() }) },
  { method: 'GET', path: '/jwks', tells: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
]

const SIGN_OUT: Call = { method: 'POST', path: '/sign-out', takes: z.object({}), tells: z.unknown() }

/** To the hosted provider, whose way back is a call of its own. */
const TO_PROVIDER: Call = {
  method: 'POST',
  path: '/sign-in/social',
  takes: z.object({
    provider: z.literal(PROVIDER),
    callbackURL: text,
    errorCallbackURL: text,
    disableRedirect: z.optional(z.boolean()),
    additionalData: z.optional(z.object({ invite: text })),
  }),
  tells: z.object({ url: z.string() }),
}
const FROM_PROVIDER: Call = { method: 'GET', path: `/callback/${PROVIDER}`, tells: z.unknown() }
const FromProvider = z.object({ code: text, state: text, iss: text, error: text, error_description: text })

/** Headers the identity needs; what else a client sends is not for it, and what a proxy says of it comes by other ways. */
const PASSED = ['accept', 'cookie', 'origin', 'referer', 'user-agent']
const isPassed = (name: string) => PASSED.includes(name) || name.startsWith('sec-fetch-')

/** Mounts /api/auth: hands each request over as the fetch standard knows it, and its answer back. */
export async function mountIdentity(app: FastifyInstance, identity: Identity, config: Config) {
  const { oidc, signUp } = config
  // A page of another host can post text without asking, so it is not even read.
  app.removeContentTypeParser('text/plain')

  const mount = (call: Call) =>
    app.route({
      method: call.method,
      url: `/api/auth${call.path}`,
      bodyLimit: BODY,
      handler: async (request, reply) => handBack(await withDeadline(ask(call, request)), call, request, reply),
    })

  function ask({ method, path, takes }: Call, request: FastifyRequest, query = '') {
    const { caller } = request
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (value && isPassed(name)) headers.set(name, String(value))
    headers.set(CLIENT_ADDRESS, caller.rateLimitKey)
    if (takes) headers.set('content-type', 'application/json')
    const body = takes ? JSON.stringify(read('body', takes, request.body ?? {})) : null
    return identity.handle(new Request(`${caller.origin}/api/auth${path}${query}`, { method, headers, body }))
  }

  for (const call of CALLS) mount(call)

  app.post(`/api/auth${SIGN_OUT.path}`, { bodyLimit: BODY }, async (request, reply) => {
    const session = await withDeadline(identity.hostedSession(request.headers.cookie))
    const answer = await withDeadline(ask(SIGN_OUT, request))
    if (!answer.ok) return handBack(answer, SIGN_OUT, request, reply)
    // The library says yes also where its database did not answer.
    if (session) await withDeadline(identity.end(session.id))
    const redirectTo = session ? await identity.providerSignOut(session, request.caller.origin) : null
    // Pictures and whatever else the browser keeps are gone for who sits down next. It heeds this on https alone.
    reply.header('clear-site-data', '"cache"')
    passHeaders(answer, request, reply)
    return { success: true, redirectTo } satisfies SignOutAnswer
  })

  app.get('/api/auth/ways', async (): Promise<SignInWays> => {
    const mode = await signUpMode(app.db, signUp)
    return { provider: oidc ? { name: oidc.name } : null, password: !oidc?.only, signUp: mode }
  })
  app.get('/api/auth/invite', async ({ query }): Promise<InviteGreeting> => {
    const { code } = query as { code?: unknown }
    const invite = typeof code === 'string' ? await liveInvite(app.db, code) : undefined
    if (!invite) throw notFound('Invite')
    return { from: invite.name }
  })

  if (!oidc) return
  mount(TO_PROVIDER)
  // The browser itself comes here: whatever happens, a page of ours says it.
  app.get(`/api/auth${FROM_PROVIDER.path}`, async (request, reply) => {
    try {
      const said = read('query', FromProvider, request.query) as Record<string, string>
      const found = await ask(FROM_PROVIDER, request, `?${new URLSearchParams(said)}`)
      const location = found.headers.get('location')
      if (location) {
        passHeaders(found, request, reply)
        return await reply.redirect(location, found.status)
      }
      request.log.warn({ status: found.status }, 'the identity did not lead back from the provider')
    } catch (error) {
      request.log.warn({ err: error }, 'the way back from the provider failed')
    }
    return reply.redirect('/sign-in?error=failed')
  })
}

/** A refusal is told as it is, with the identity's own codes; of a success what the call tells. */
async function handBack(answer: Response, { tells }: Call, request: FastifyRequest, reply: FastifyReply) {
  passHeaders(answer, request, reply)
  const said: unknown = await answer.json().catch(() => null)
  return reply.status(answer.status).send(JSON.stringify(answer.ok ? z.parse(tells, said) : said))
}

function passHeaders({ headers }: Response, { caller }: FastifyRequest, reply: FastifyReply) {
  reply.type('application/json; charset=utf-8')
  const retryAfter = headers.get('retry-after') ?? headers.get('x-retry-after')
  if (retryAfter) reply.header('retry-after', retryAfter)
  // Where a proxy took the TLS off, the library does not know of it.
  for (const cookie of headers.getSetCookie()) {
    const isBare = caller.isSecure && !/;\s*secure/i.test(cookie)
    reply.header('set-cookie', isBare ? `${cookie}; Secure` : cookie)
  }
}
