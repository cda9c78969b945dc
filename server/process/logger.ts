import type { FastifyServerOptions } from 'fastify'
import { DatabaseError } from 'pg'

interface LogLine {
  (message: string): void
  (fields: object, message: string): void
}

/** Structured logging, as by pino. Pass errors as `err`. */
export type Logger = Record<'debug' | 'info' | 'warn' | 'error', LogLine>

/** Fastify's options for the log. @param stream instead of standard output */
export const loggerOptions = (level: string, stream?: { write(line: string): void }) =>
  ({
    level,
    // The parser of multipart forms logs its options.
    redact: ['req.headers.authorization', 'req.headers.cookie', 'busboyOptions.headers'],
    formatters: {
      log: (fields: Record<string, unknown>) =>
        fields['err'] instanceof DatabaseError ? { ...fields, err: withoutValues(fields['err']) } : fields,
    },
    ...(stream && { stream }),
  }) satisfies FastifyServerOptions['logger']

/** Constraint violations and invalid statements: their messages quote only names of our schema. */
const ABOUT_SCHEMA = /^(23|42)/
/** Raised by a trigger, with a message of its own. */
const RAISED = /^P0/

/** Removes what people wrote, which the database quotes in its messages, details and context. */
function withoutValues({ message, stack = '', code = '', constraint, table }: DatabaseError) {
  const text = templateOf(message, code)
  // The stack begins with the message.
  const start = stack.indexOf(message)
  const frames = start < 0 ? '' : stack.slice(start + message.length)
  return Object.assign(new Error(text), { stack: `Error: ${text}${frames}`, code, constraint, table })
}

function templateOf(message: string, code: string) {
  if (RAISED.test(code)) return `the database answered ${code}`
  return ABOUT_SCHEMA.test(code) ? message : message.replace(/".*"/s, '"…"')
}
