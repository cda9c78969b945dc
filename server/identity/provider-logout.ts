import type { FastifyInstance } from 'fastify'
import { sourceOf, writeAudit } from '../audit/write-audit.ts'
import { withDeadline } from '../http/deadline.ts'
import type { Identity } from './auth.ts'
import { endSessions } from './provider-sessions.ts'

const MAX_BODY_BYTES = 16 * 1024

/** The provider calls this when somebody signs out there (OpenID Connect Back-Channel Logout). */
export async function mountProviderLogout(app: FastifyInstance, identity: Identity) {
  await app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    scope.post('/api/auth/backchannel-logout', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null
      const logout = token ? await withDeadline(identity.readProviderLogout(token)) : undefined
      const ended = logout && (await withDeadline(endSessions(app.db, logout)))
      if (!ended) {
        const why = logout ? 'The token was used before.' : 'This is no logout token for Parley.'
        return reply.status(400).send({ error: 'invalid_request', error_description: why })
      }
      app.pollSoon()
      for (const [personId, { length: count }] of ended)
        await writeAudit(app.db, {
          kind: 'provider_signed_out',
          actorId: null,
          personId,
          details: { count },
          ...sourceOf(request),
        })
      return reply.status(200).send()
    })
  })
}
