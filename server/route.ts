import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { AnswerOf, AnyEndpoint, InputOf } from '#contract/endpoint'
import { problem, readProblem } from '#contract/errors'
import { invalid, MAX_PROBLEMS, withField } from './errors.ts'
import { compileSchema } from './http/compiled-schema.ts'
import { withDeadline } from './http/deadline.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user; set by the `authenticate` hook. */
    userId: string
    /** The session that the request's token or cookie belongs to. */
    sessionId: string
  }
  interface FastifyContextConfig {
    /** Accepts the session's cookie instead of a token, so that a page can show pictures by URL. */
    allowsCookie?: boolean
    /** Streams a file: no deadline for its body. */
    streamsFile?: boolean
    /** Exempt from rate limits: for health checks and metrics, so that monitoring always gets an answer. */
    isUnlimited?: boolean
    /** The user's rate that a call consumes; by default `reads` for GET, otherwise `writes`. */
    rate?: 'reads' | 'sends' | 'writes'
  }
}

/** An encoded body in the contract's shape, or null if the client's copy is current (304). */
export interface Encoded {
  encoded: Buffer | null
  etag?: string
  headers?: Record<string, number>
}

interface Caller {
  /** The signed-in user's id. */
  me: string
  sessionId: string
  request: FastifyRequest
  reply: FastifyReply
}

/** The parsed params, query and body of an endpoint, and its caller. */
export type HandlerInput<E> = InputOf<E> & Caller

/**
 * Mounts a contract endpoint: parses the request (400 `invalid` with the invalid fields), calls the handler, and reduces its
 * reply to the contract's fields. A reply that violates its schema is our own bug: 500.
 */
export function route<E extends AnyEndpoint>(
  app: FastifyInstance,
  e: E & Pick<FastifyContextConfig, 'rate'>,
  handle: (input: HandlerInput<E>) => Promise<AnswerOf<E> | Encoded>,
) {
  const bodySchema = e.body && compileSchema(e.body)
  const replySchema = compileSchema(e.reply)
  app.route({
    method: e.method,
    url: e.path,
    ...(e.maxBodyBytes && { bodyLimit: e.maxBodyBytes }),
    ...(e.rate && { config: { rate: e.rate } }),
    handler: async (request, reply) => {
      const input = {
        params: read('params', e.params, request.params),
        query: read('query', e.query, request.query),
        body: read('body', bodySchema, request.body),
        me: request.userId,
        sessionId: request.sessionId,
        request,
        reply,
      } as unknown as HandlerInput<E>
      // Frees the fields that the schema omits while the handler runs.
      request.body = undefined
      reply.status(e.status ?? 200)
      const answer = await withDeadline(handle(input))
      if (isEncoded(answer)) return sendEncoded(reply, answer)
      if (!e.headers) return z.parse(replySchema, answer)
      const { body, headers } = answer as { body: unknown; headers: unknown }
      reply.headers(e.headers.parse(headers) as Record<string, number>)
      return z.parse(replySchema, body)
    },
  })
}

type ParamsOf<E> = InputOf<E> extends { params: infer P } ? P : undefined

/**
 * Mounts an endpoint that streams a file. It has no deadline, and the handler reads the body and sends the reply itself.
 */
export function byteRoute<E extends AnyEndpoint>(
  app: FastifyInstance,
  e: E,
  handle: (input: { params: ParamsOf<E> } & Caller) => Promise<unknown>,
) {
  app.route({
    method: e.method,
    url: e.path,
    config: { allowsCookie: e.method === 'GET', streamsFile: true },
    handler: (request, reply) => {
      const params = read('params', e.params, request.params) as ParamsOf<E>
      return handle({ params, me: request.userId, sessionId: request.sessionId, request, reply })
    },
  })
}

/** Encodes an endpoint's reply, stripped to the contract's fields. */
export function encoder({ reply }: Pick<AnyEndpoint, 'reply'>) {
  const schema = compileSchema(reply)
  return (body: unknown) => Buffer.from(JSON.stringify(z.parse(schema, body)))
}

const isEncoded = (answer: unknown): answer is Encoded =>
  typeof answer === 'object' && answer !== null && 'encoded' in answer

function sendEncoded(reply: FastifyReply, { encoded, etag, headers }: Encoded) {
  // API_HEADERS forbids browsers to cache it; the ETag is for clients that keep their own copy.
  reply.headers({ ...headers, ...(etag && { etag }) })
  if (encoded === null) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(encoded)
}

/** @throws AppError 400 with the first invalid fields */
export function read<S extends z.core.$ZodType | undefined>(part: string, schema: S, value: unknown) {
  const result = schema && z.safeParse(schema, value)
  if (result && !result.success) {
    const told = result.error.issues.slice(0, MAX_PROBLEMS)
    const problems = Object.fromEntries(told.map(({ path, message }) => [path.join('.') || part, readProblem(message)]))
    const [[field, first] = [part, problem('errors.invalidInput')]] = Object.entries(problems)
    throw invalid(withField(first, field), problems)
  }
  return result?.data as S extends z.core.$ZodType ? z.output<S> : undefined
}
