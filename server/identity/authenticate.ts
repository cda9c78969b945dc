import type { FastifyInstance } from 'fastify'
import { unauthenticated } from '../errors.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Identity } from './auth.ts'
import type { BearerTokens } from './bearer-tokens.ts'
import { createCookieSessions } from './cookie-sessions.ts'

/** Sets `userId` and `sessionId` of every request in this scope, or throws 401. */
export function authenticate(signedIn: FastifyInstance, identity: Identity, tokens: BearerTokens, bounds: Bounds) {
  const userOfCookie = createCookieSessions(identity, tokens, bounds)
  signedIn.addHook('onRequest', async (request) => {
    const { authorization, cookie } = request.headers
    const [, token] = /^Bearer (.+)$/.exec(authorization ?? '') ?? []
    const allowsCookie = request.routeOptions.config.allowsCookie && authorization === undefined
    if (!token && !allowsCookie) throw unauthenticated()
    const session = token ? await tokens.verify(token) : undefined
    request.userId = session?.userId ?? (await userOfCookie(cookie))
    request.sessionId = session?.sessionId ?? ''
  })
}
