import * as z from 'zod/mini'
import { storable } from './text.ts'

/** Channels, messages and files: a UUIDv7, in one spelling, because queues, rooms and caches go by it. */
export const Id = z.uuid('must be an id').check(z.toLowerCase())

/** People: the identity's id, which a hosted provider may shape in its own way. */
export const UserId = z.string().check(z.minLength(1), z.maxLength(64), storable)

/** The assistant's id, and its username: nobody else's, and of nobody who signs in. */
export const ASSISTANT = 'assistant-bot'

/** A time in ISO 8601, UTC, with milliseconds. */
export const Time = z.string()

/** A number that comes as text in a query string or a header. */
export const numeral = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.pipe(z.coerce.number(`must be a number`), z.int('must be a whole number').check(z.gte(min), z.lte(max)))
