import * as z from 'zod/mini'
import { fieldProblem } from './errors.ts'
import { storable } from './text.ts'

/** Ids of channels, messages and files: UUIDv7 in lower case, because queues, rooms and caches compare them as text. */
export const Id = z.uuid(fieldProblem('errors.notAnId')).check(z.toLowerCase())

/** Ids of users: any text, because hosted providers choose their own form. */
export const UserId = z.string().check(z.minLength(1), z.maxLength(64), storable)

/** The assistant's id and username, reserved for it. It cannot be signed in as. */
export const ASSISTANT = 'assistant-bot'

/** A time in ISO 8601, UTC, with milliseconds. */
export const Time = z.string()

/** When something ends or is due: PostgreSQL does not read arbitrarily long fractions of a second. */
export const EndTime = z.iso
  .datetime(fieldProblem('errors.notAnEnd'))
  .check(z.maxLength(40, fieldProblem('errors.notAnEnd')))

/** Rejects days like February 30, which `Date` takes for March 2 but PostgreSQL refuses. */
export const isTime = (text: string) => {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

/** A number in a query string or a header. */
export const numeral = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.pipe(
    z.coerce.number(fieldProblem('errors.notANumber')),
    z.int(fieldProblem('errors.notAWholeNumber')).check(z.gte(min), z.lte(max)),
  )
