import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { AnswerOf, AnyEndpoint, InputOf } from '#contract/endpoint'
import { invalid } from './errors.ts'
import { compiled } from './http/compiled-schema.ts'
import { inTime } from './http/deadline.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who speaks; set by the session's check before any handler of the signed-in scope runs. */
    userId: string
    /** In which of their sessions. */
    sessionId: string
  }
  interface FastifyContextConfig {
    /** The session's cookie is as good as its token here: a page shows pictures by their address. */
    takesCookie?: boolean
    /** Its body is a file, which takes as long as it takes. */
    passesBytes?: boolean
    /** Asked by those who watch the process, who must hear from it at all times. */
    isWatching?: boolean
  }
}

/** A body that is cut by the contract and encoded already, or none where the reader holds it (304). */
export interface Encoded {
  encoded: Buffer | null
  etag?: string
  headers?: Record<string, number>
}

/**
 * Mounts a contract endpoint: parses what comes in (400 `invalid` with the fields that were wrong), hands over the
 * signed-in person, and cuts what goes out to the contract. A reply that breaks its schema is our own bug: 500.
 */
export function route<E extends AnyEndpoint>(
  app: FastifyInstance,
  e: E,
  handle: (
    input: InputOf<E>,
    me: string,
    reply: FastifyReply,
    request: FastifyRequest,
  ) => Promise<AnswerOf<E> | Encoded>,
) {
  const said = e.body && compiled(e.body)
  const told = compiled(e.reply)
  app.route({
    method: e.method,
    url: e.path,
    handler: async (request, reply) => {
      const input = {
        params: read('params', e.params, request.params),
        query: read('query', e.query, request.query),
        body: read('body', said, request.body),
      } as InputOf<E>
      reply.status(e.status ?? 200)
      const answer = await inTime(handle(input, request.userId, reply, request))
      if (isEncoded(answer)) return sendEncoded(reply, answer)
      if (!e.headers) return z.parse(told, answer)
      const { body, headers } = answer as { body: unknown; headers: unknown }
      reply.headers(e.headers.parse(headers) as Record<string, number>)
      return z.parse(told, body)
    },
  })
}

type ParamsOf<E> = InputOf<E> extends { params: infer P } ? P : undefined

/**
 * Mounts an endpoint through which bytes pass, which takes as long as it takes: the handler reads the body by itself,
 * and answers by itself.
 */
export function byteRoute<E extends AnyEndpoint>(
  app: FastifyInstance,
  e: E,
  handle: (params: ParamsOf<E>, me: string, reply: FastifyReply, request: FastifyRequest) => Promise<unknown>,
) {
  app.route({
    method: e.method,
    url: e.path,
    config: { takesCookie: e.method === 'GET', passesBytes: true },
    handler: (request, reply) =>
      handle(read('params', e.params, request.params) as ParamsOf<E>, request.userId, reply, request),
  })
}

/** How the bodies of an endpoint's answers, or parts of them, are cut and encoded. */
export function encoder({ reply }: Pick<AnyEndpoint, 'reply'>) {
  const schema = compiled(reply)
  return (body: unknown) => Buffer.from(JSON.stringify(z.parse(schema, body)))
}

const isEncoded = (answer: unknown): answer is Encoded =>
  typeof answer === 'object' && answer !== null && 'encoded' in answer

function sendEncoded(reply: FastifyReply, { encoded, etag, headers }: Encoded) {
  // No browser keeps it (see API_HEADERS); the tag is for those who keep it by themselves.
  reply.headers({ ...headers, ...(etag && { etag }) })
  if (encoded === null) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(encoded)
}

/** @throws AppError 400 with the fields that were wrong */
export function read<S extends z.core.$ZodType | undefined>(part: string, schema: S, value: unknown) {
  const result = schema && z.safeParse(schema, value)
  if (result && !result.success) {
    const fields = Object.fromEntries(result.error.issues.map((issue) => [issue.path.join('.') || part, issue.message]))
    const [[field, message] = []] = Object.entries(fields)
    throw invalid(`${field} ${message}`, fields)
  }
  return result?.data as S extends z.core.$ZodType ? z.output<S> : undefined
}
