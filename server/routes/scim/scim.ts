import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sourceOf } from '../../audit/write-audit.ts'
import { AppError, reasonOf, unauthenticated } from '../../errors.ts'
import { toAppError } from '../../http/error-handler.ts'
import type { Limiter } from '../../limits/rate-limiter.ts'
import { listOf, MAX_PAGE } from '../../scim/list.ts'
import type { Directory } from '../../scim/provided-people.ts'
import { resourceTypes, schemas, serviceProviderConfig } from '../../scim/resources.ts'
import { errorBody, ScimError } from '../../scim/scim-error.ts'
import { findToken } from '../../scim/tokens.ts'
import { baseOf, PREFIX } from './base.ts'
import groups from './groups.ts'
import users from './users.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The directory whose token a SCIM call has. */
    directory: Directory
  }
}

const MAX_BODY_BYTES = 512 * 1024
const MEDIA_TYPE = 'application/scim+json; charset=utf-8'

/** SCIM 2.0 (RFC 7643, 7644): a directory creates, changes and removes people and groups with its token. */
export async function mountScim(app: FastifyInstance, limiter: Limiter) {
  app.decorateRequest('directory')
  await app.register(
    async (scim) => {
      const parseJson = scim.getDefaultJsonParser('error', 'error')
      scim.removeAllContentTypeParsers()
      scim.addContentTypeParser(
        ['application/scim+json', 'application/json'],
        { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
        // Some directories send a content type with a DELETE without a body.
        (request, body: string, done) => (body === '' ? done(null) : parseJson(request, body, done)),
      )
      scim.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply))
      scim.addHook('onRequest', async (request) => {
        const token = await findToken(app.db, request.headers.authorization)
        if (!token) throw unauthenticated()
        limiter.consume(request.method === 'GET' ? 'reads' : 'writes', `scim ${token.id}`)
        request.directory = { name: token.name, source: sourceOf(request) }
      })
      scim.addHook('onSend', async (_, reply, payload) => {
        if (payload) reply.header('content-type', MEDIA_TYPE)
        return payload
      })

      scim.get('/ServiceProviderConfig', async (request) => serviceProviderConfig(baseOf(request), MAX_PAGE))
      describe('ResourceTypes', resourceTypes)
      describe('Schemas', schemas)
      await users(scim)
      await groups(scim)

      /** Serves a list of descriptions, and each by its id. */
      function describe(name: string, read: (base: string) => { id: string }[]) {
        const all = { offset: 0, limit: MAX_PAGE }
        scim.get(`/${name}`, async (request) => {
          const found = read(baseOf(request))
          return listOf(found, found.length, all)
        })
        scim.get<{ Params: { id: string } }>(`/${name}/:id`, async (request) => {
          const found = read(baseOf(request)).find(({ id }) => id === request.params.id)
          if (!found) throw new ScimError(404, 'There is nothing here.')
          return found
        })
      }
    },
    { prefix: PREFIX },
  )
}

function sendError(error: FastifyError | ScimError, request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof ScimError ? error : toAppError(error)
  const { url } = request.routeOptions
  if (known.status === 503) request.log.warn({ reason: reasonOf(error), url }, known.message)
  else if (known.status >= 500) request.log.error({ err: error, url }, known.message)
  if (known instanceof AppError && known.retryAfter) reply.header('retry-after', known.retryAfter)
  if (known.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.status(known.status).send(errorBody(known))
}
