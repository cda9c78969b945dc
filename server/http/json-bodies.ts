import type { FastifyInstance } from 'fastify'
import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { invalid } from '../errors.ts'

/** Values that every body may contain; each further one must take `BYTES_PER_VALUE` on average. */
const FREE_VALUES = 1000
/**
 * Enough for the largest call, which marks everything as unread. Parsing a megabyte of objects with distinct keys takes a tenth
 * of a second.
 */
const MAX_OBJECTS = 2 * limits.unreadAtOnce + FREE_VALUES
const BYTES_PER_VALUE = 8

const QUOTE = 34
const BACKSLASH = 92
const BRACE = 123
/** `,` `[` and `{`. */
const SEPARATORS = new Set([44, 91, 123])

/** Whether JSON has so many tiny values or objects that parsing it would take too much memory or time. */
export function isDense(json: string): boolean {
  const most = FREE_VALUES + json.length / BYTES_PER_VALUE
  if (json.length <= most) return false
  let values = 0
  let objects = 0
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (code === QUOTE) i = endOfString(json, i)
    else if (code === BRACE && ++objects > MAX_OBJECTS) return true
    else if (SEPARATORS.has(code) && ++values > most) return true
  }
  return false
}

/** The index of the closing quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}

/** Parses bodies like Fastify, but rejects dense ones: a megabyte of empty arrays would take 14 MB. */
export function parseJsonBodies(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (isDense(body)) done(invalid(problem('errors.malformed', { detail: 'it consists of too many values' })))
    else void parse(request, body, done)
  })
}
