import type { FastifyInstance } from 'fastify'
import { secondFactorNeeded, unauthenticated } from '../errors.ts'
import type { BearerTokens } from './bearer-tokens.ts'
import type { UserOfCookie } from './cookie-sessions.ts'

/** The only calls for sessions that still need a second factor: those to set one up. */
const FOR_LIMITED = /^\/api\/(two-factor|passkeys|password)(\/|$)/

/** Sets `userId` and `sessionId` of every request in this scope. Throws 401, or 403 if a second factor is missing. */
export function authenticate(signedIn: FastifyInstance, tokens: BearerTokens, userOfCookie: UserOfCookie) {
  signedIn.addHook('onRequest', async (request) => {
    const { authorization, cookie } = request.headers
    const [, token] = /^Bearer (.+)$/.exec(authorization ?? '') ?? []
    const allowsCookie = request.routeOptions.config.allowsCookie && authorization === undefined
    if (!token && !allowsCookie) throw unauthenticated()
    const session = token ? await tokens.verify(token) : undefined
    if (session?.isLimited && !FOR_LIMITED.test(request.routeOptions.url ?? '')) throw secondFactorNeeded()
    request.userId = session?.userId ?? (await userOfCookie(cookie))
    request.sessionId = session?.sessionId ?? ''
  })
  // The session may have ended while the request arrived.
  signedIn.addHook('preHandler', async ({ sessionId }) => tokens.requireLive(sessionId))
}
