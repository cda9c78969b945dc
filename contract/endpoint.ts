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
  /** What the call does, in one sentence of the documentation. */
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Media type of the body, and of the reply; JSON unless said. */
  takes?: 'multipart/form-data'
  gives?: string
  /** Status of a success; 200 unless said. */
  status?: number
  /**
   * Other statuses it may have: 200 or 201 where the thing was there before or not, 206 for a part of it, 304 where the
   * reader holds it.
   */
  alsoStatus?: number | number[]
  reply: R
  /** Headers of the reply that carry meaning, by lower-case name. */
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

/** What a caller hands over. */
export type CallOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, Schema, infer _>
    ? Part<'params', P, 'in'> & Part<'query', Q, 'in'> & Part<'body', B, 'in'>
    : never

/** What a handler receives, parsed. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, Schema, infer _>
    ? Part<'params', P, 'out'> & Part<'query', Q, 'out'> & Part<'body', B, 'out'>
    : never

/** What a handler answers: the body, or body and headers where the endpoint describes headers. */
export type AnswerOf<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R, infer H>
    ? H extends Schema
      ? { body: z.input<R>; headers: z.input<H> }
      : z.input<R>
    : never

/** The body a caller receives. */
export type ReplyOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer R, infer _H> ? z.output<R> : never
