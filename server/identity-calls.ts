import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type InviteGreeting, PROVIDER, type SignInWays } from '#contract/identity'
import { liveInvite, signUpMode } from './admission.ts'
import type { Config } from './config.ts'
import { notFound } from './errors.ts'
import type { Identity } from './identity.ts'
import { inTime } from './in-time.ts'

/** Carries the address of the one who asks to the identity's rate limit; a value from outside never gets through. */
export const CLIENT_ADDRESS = 'x-parley-client'

/** What is mounted of the identity; the rest of what the library could do is not there. */
const CALLS = [
  ['POST', '/sign-up/email'],
  ['POST', '/sign-in/email'],
  ['POST', '/sign-in/username'],
  ['POST', '/sign-out'],
  ['GET', '/get-session'],
  ['GET', '/token'],
  ['GET', '/jwks'],
] as const

/** Headers the identity needs; what else a client sends is not for it, and what a proxy says of it comes by other ways. */
const PASSED = ['accept', 'content-type', 'cookie', 'origin', 'referer', 'user-agent']
const isPassed = (name: string) => PASSED.includes(name) || name.startsWith('sec-fetch-')

/** Mounts /api/auth: hands each request over as the fetch standard knows it, and its answer back. */
export function mountIdentity(app: FastifyInstance, identity: Identity, config: Config) {
  const { oidc, signUp } = config
  const answer = async (request: FastifyRequest, reply: FastifyReply) =>
    handBack(await inTime(identity.handle(toFetch(request))), request, reply)
  for (const [method, path] of CALLS) app.route({ method, url: `/api/auth${path}`, handler: answer })

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
  app.route({ method: 'POST', url: '/api/auth/sign-in/social', handler: answer })
  // The browser itself comes here: whatever happens, a page of ours says it.
  app.get(`/api/auth/callback/${PROVIDER}`, async (request, reply) => {
    try {
      const found = await identity.handle(toFetch(request))
      if (found.headers.has('location')) return await handBack(found, request, reply)
      request.log.warn({ status: found.status }, 'the identity did not lead back from the provider')
    } catch (error) {
      request.log.warn({ err: error }, 'the way back from the provider failed')
    }
    return reply.redirect('/sign-in?error=failed')
  })
}

async function handBack(answer: Response, request: FastifyRequest, reply: FastifyReply) {
  reply.status(answer.status)
  for (const [name, value] of answer.headers) {
    // A proxy took the TLS off, and nobody said so by PUBLIC_URL.
    const isBare = name === 'set-cookie' && request.protocol === 'https' && !/;\s*secure/i.test(value)
    reply.header(name === 'x-retry-after' ? 'retry-after' : name, isBare ? `${value}; Secure` : value)
  }
  return reply.send(await answer.text())
}

function toFetch(request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value && isPassed(name)) headers.set(name, String(value))
  headers.set(CLIENT_ADDRESS, request.ip)
  const body = request.body === undefined ? null : JSON.stringify(request.body)
  return new Request(`${request.protocol}://${request.host}${request.url}`, { method: request.method, headers, body })
}
