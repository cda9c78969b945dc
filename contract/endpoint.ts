import type * as z from 'zod/mini'

type Schema = z.ZodMiniType

/** One HTTP call, described once: the server mounts it, the browser calls it, the documentation lists it. */
export interface Endpoint<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  R extends Schema = Schema,
  H extends Schema | undefined = Schema | undefined,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/api/${string}`
  /** One sentence for the API docs. */
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Media types of the body and the reply; JSON by default. */
  takes?: 'multipart/form-data'
  gives?: string
  /** The body size limit, if it differs from the default. */
  maxBodyBytes?: number
  /** Success status; 200 by default. */
  status?: number
  /**
   * Other success statuses: 200 or 201 depending on whether the object existed, 206 for a range, 304 if the client's copy is
   * current.
   */
  alsoStatus?: number | number[]
  reply: R
  /** Meaningful reply headers, by lower-case name. */
  headers?: H
}

export function endpoint<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema = Schema,
  H extends Schema | undefined = undefined,
>(e: Endpoint<P, Q, B, R, H>): Endpoint<P, Q, B, R, H> {
  return e
}

// biome-ignore lint/suspicious/noExplicitAny: "some endpoint, whatever its schemas" has no other spelling
export type AnyEndpoint = Endpoint<any, any, any, any, any>

type Part<K extends string, S, Side extends 'in' | 'out'> = S extends Schema
  ? { [k in K]: Side extends 'in' ? z.input<S> : z.output<S> }
  : unknown

/** A caller's input. */
export type CallOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, Schema, infer _>
    ? Part<'params', P, 'in'> & Part<'query', Q, 'in'> & Part<'body', B, 'in'>
    : never

/** A handler's input, parsed. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, Schema, infer _>
    ? Part<'params', P, 'out'> & Part<'query', Q, 'out'> & Part<'body', B, 'out'>
    : never

/** A handler's result: the body, or body and headers if the endpoint describes headers. */
export type AnswerOf<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R, infer H>
    ? H extends Schema
      ? { body: z.input<R>; headers: z.input<H> }
      : z.input<R>
    : never

/** The body a caller receives. */
export type ReplyOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer R, infer _H> ? z.output<R> : never
