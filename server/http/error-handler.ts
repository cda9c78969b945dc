import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorReply, problem } from '#contract/errors'
import { databaseFailure } from '../db/database.ts'
import { AppError, diskFull, internal, invalid, reasonOf, requestTooLarge } from '../errors.ts'
import { API_HEADERS } from './security-headers.ts'

const FULL_DISK = diskFull().problem.reason

/** Sends the response for every error that a hook or handler throws, and logs server errors. */
export function installErrorHandler(app: FastifyInstance) {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = toAppError(error)
    logServerError(known, error, request)
    return sendError(known, request, reply)
  })
}

function logServerError(known: AppError, error: FastifyError, { routeOptions: { url }, log }: FastifyRequest) {
  // `db/full-disk.ts` logs once that the database's disk is full.
  if (known.status < 500 || known.problem.reason === FULL_DISK) return
  // While the database is unavailable, or the file store full, every request fails: log one line each, without a stack.
  if ([503, 507].includes(known.status)) log.warn({ reason: reasonOf(error), url }, known.message)
  else log.error({ err: error, url }, known.message)
}

/**
 * Handles errors from before routing, such as a URL that cannot be decoded.
 * @param admit runs first; if it throws, its error is sent instead
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

/** Keeps our own errors, and maps database failures, Fastify's client errors (to `invalid`) and all others (to `internal`). */
export function toAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error
  const failure = databaseFailure(error)
  if (failure) return failure
  if (error.statusCode === 413) return requestTooLarge()
  if (error.statusCode && error.statusCode < 500) return invalid(problem('errors.malformed', { detail: error.message }))
  return internal()
}

const CONTENT_HEADERS = ['content-type', 'content-length', 'content-disposition', 'etag']

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  const { status, code, message, fields, problems, retryAfter } = error
  // The handler may have set these for the content that the error replaces.
  for (const name of CONTENT_HEADERS) reply.removeHeader(name)
  if (retryAfter) reply.header('retry-after', retryAfter)
  const requestId = code === 'internal' && { requestId: request.id }
  const body: ErrorReply = {
    error: { code, ...error.problem, message, ...(problems && { fields, problems }), ...requestId },
  }
  return reply.status(status).send(body)
}
