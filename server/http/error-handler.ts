import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorReply } from '#contract/errors'
import { isUnavailable } from '../db/database.ts'
import { AppError, internal, invalid, requestTooLarge, unavailable } from '../errors.ts'
import { API_HEADERS } from './security-headers.ts'

/** Answers every error that a hook or a handler throws, and logs those that are ours. */
export function installErrorHandler(app: FastifyInstance) {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = toAppError(error)
    const url = request.routeOptions.url
    // While the database is away every request fails: one line each, without a stack.
    if (known.status === 503) request.log.warn({ reason: error.message, url }, known.message)
    else if (known.status >= 500) request.log.error({ err: error, url }, known.message)
    return sendError(known, request, reply)
  })
}

/**
 * Answers errors from before routing, such as a URL that cannot be decoded.
 * @param admit runs before the answer; an error of its own is sent instead
 */
export function earlyErrorHandler(admit: (request: FastifyRequest['raw']) => void) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    let sent = error
    try {
      admit(request.raw)
    } catch (refusal) {
      sent = refusal as FastifyError
    }
    return sendError(toAppError(sent), request, reply.headers(API_HEADERS))
  }
}

/** Our own errors as they are, the framework's refusals as `invalid`, everything else as `internal`. */
function toAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error
  if (isUnavailable(error)) return unavailable()
  if (error.statusCode === 413) return requestTooLarge()
  if (error.statusCode && error.statusCode < 500) return invalid(error.message)
  return internal()
}

const CONTENT_HEADERS = ['content-type', 'content-length', 'content-disposition', 'etag']

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  const { status, code, message, fields, retryAfter } = error
  // The handler may have set them for the content that is not sent now.
  for (const name of CONTENT_HEADERS) reply.removeHeader(name)
  if (retryAfter) reply.header('retry-after', retryAfter)
  const requestId = code === 'internal' && { requestId: request.id }
  const body: ErrorReply = { error: { code, message, ...(fields && { fields }), ...requestId } }
  return reply.status(status).send(body)
}
