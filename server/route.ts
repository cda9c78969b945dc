import type { FastifyInstance, FastifyReply } from 'fastify'
import type * as z from 'zod/mini'
import type { AnswerOf, AnyEndpoint, InputOf } from '#contract/endpoint'
import { invalid } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who speaks; set by the session's check before any handler of the signed-in scope runs. */
    userId: string
  }
}

/**
 * Mounts a contract endpoint: parses what comes in (400 `invalid` with the fields that were wrong), hands over the
 * signed-in person, and cuts what goes out to the contract. A reply that breaks its schema is our own bug: 500.
 */
export function route<E extends AnyEndpoint>(
  app: FastifyInstance,
  e: E,
  handle: (input: InputOf<E>, me: string, reply: FastifyReply) => Promise<AnswerOf<E>>,
) {
  app.route({
    method: e.method,
    url: e.path,
    handler: async (request, reply) => {
      const input = {
        params: read('params', e.params, request.params),
        query: read('query', e.query, request.query),
        body: read('body', e.body, request.body),
      } as InputOf<E>
      reply.status(e.status ?? 200)
      const answer = await handle(input, request.userId, reply)
      if (!e.headers) return e.reply.parse(answer)
      const { body, headers } = answer as { body: unknown; headers: unknown }
      reply.headers(e.headers.parse(headers) as Record<string, number>)
      return e.reply.parse(body)
    },
  })
}

function read(part: string, schema: z.ZodMiniType | undefined, value: unknown) {
  const result = schema?.safeParse(value)
  if (result && !result.success) {
    const fields = Object.fromEntries(result.error.issues.map((issue) => [issue.path.join('.') || part, issue.message]))
    const [[field, message] = []] = Object.entries(fields)
    throw invalid(`${field} ${message}`, fields)
  }
  return result?.data
}
