import * as z from 'zod/mini'
import { calls } from '#contract/calls'
import { Changes } from '#contract/changes'
import { Channel, CountedCursor, Pagination } from '#contract/channels'
import { ANY_EMOJI, AnyEmoji } from '#contract/emoji'
import type { Endpoint } from '#contract/endpoint'
import { ErrorReply } from '#contract/errors'
import { StoredFile } from '#contract/files'
import { Time } from '#contract/ids'
import { Mention } from '#contract/mentions'
import { Message, Reactions } from '#contract/messages'
import { ThreadCursor } from '#contract/threads'
import { Me, Profile, User } from '#contract/users'
import { MAX_PROBLEMS } from '../errors.ts'
import { FAILURES, type Failure } from './openapi-failures.ts'

type Schema = z.core.$ZodType
type Json = z.core.JSONSchema.BaseSchema

/** Schemas that the document describes once and references by name; all others are described inline. */
const shapes = {
  User,
  Profile,
  Me,
  Channel,
  Message,
  File: StoredFile,
  Mention,
  Reactions,
  CountedCursor,
  ThreadCursor,
  Changes,
  Pagination,
  ErrorReply,
}

/** Constraints that the schemas cannot express. */
const notes = z.registry<{ format?: string; description?: string; pattern?: string }>()
notes.add(Time, { format: 'date-time' })
notes.add(AnyEmoji, {
  description: 'One emoji: as Unicode recommends it for interchange, or `:name:` for one of the workspace.',
  pattern: ANY_EMOJI,
})

const INFO = `
Every call of Parley, generated from the contract that the server itself uses to validate requests and responses.

**Authentication** is handled by Better Auth under its own paths. \`POST /api/auth/sign-up/email\` takes \`name\`,
\`username\`, \`email\` and \`password\`, \`POST /api/auth/sign-in/email\` takes \`email\` and \`password\`; both set the
session cookie. With that cookie \`GET /api/auth/token\` returns \`{ "token": … }\`, the bearer token for all calls here; it
lasts an hour. \`GET /api/auth/get-session\` returns the signed-in user, \`POST /api/auth/sign-out\` ends the session and
revokes its tokens, \`GET /api/auth/jwks\` has the public keys. \`GET /api/auth/ways\` lists the ways to sign in: a
password, a hosted provider, and whether a new user needs an \`invite\`.

**Responses** are JSON. Ids are UUIDv7 (user ids: any text), times are ISO 8601 in UTC. Ignore unknown fields, as the
server does: later versions add some. The header \`Parley-Rev\` gives the channel's revision of a response.

**Errors** have one form. \`code\` is stable; \`reason\` is finer, new ones may appear; \`values\` belong to the reason.
\`message\` says it in English. For invalid input, \`fields\` (in English) and \`problems\` (reasons) tell what is wrong by its
path in the input, the first ${MAX_PROBLEMS} only.

**Events** are sent over Socket.IO at the same address, with \`auth: { token }\`.
`.trim()

const TOKEN = `
The \`token\` from \`GET /api/auth/token\`, after signing in with \`POST /api/auth/sign-in/email\`.
`.trim()

const SUCCESSES: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  204: 'Success, without content.',
  206: 'The requested range.',
  304: 'Not modified (`If-None-Match`).',
}

/** The whole contract as an OpenAPI 3.1 document. */
export function describeApi() {
  const named = Object.entries(calls).flatMap(([noun, of]) =>
    Object.entries(of).map(([name, e]) => ({ noun, name, e })),
  )
  const { schemas, replies } = describeReplies(named.map(({ name, e }) => [name, e.reply]))
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {}
  for (const { noun, name, e } of named) {
    const path = e.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [e.method.toLowerCase()]: operation(noun, name, e, replies[name]) }
  }
  return {
    openapi: '3.1.0',
    // The version of the contract, not of the program.
    info: { title: 'Parley', version: '1', description: INFO },
    tags: Object.keys(calls).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: TOKEN } },
      schemas,
      responses: Object.fromEntries(FAILURES.map((each) => [each.name, failure(each)])),
    },
  }
}

function operation(noun: string, name: string, e: Endpoint, reply: unknown) {
  const parameters = [
    ...parametersOf('path', e.params),
    ...parametersOf('query', e.query),
    ...(isTagged(e) ? [IF_NONE_MATCH] : []),
  ]
  return {
    operationId: name,
    tags: [noun],
    summary: e.summary,
    security: [{ token: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(e.body && { requestBody: { required: true, ...content(json(e.body, 'input'), e.takes) } }),
    responses: {
      ...Object.fromEntries(statusesOf(e).map((status) => [status, success(status, e, reply)])),
      ...Object.fromEntries(
        FAILURES.filter(({ appliesTo }) => appliesTo(e)).map(({ status, name }) => [
          status,
          { $ref: `#/components/responses/${name}` },
        ]),
      ),
    },
  }
}

const statusesOf = ({ status = 200, alsoStatus = status }: Endpoint) => [...new Set([status, alsoStatus].flat())]
const isTagged = (e: Endpoint) => statusesOf(e).includes(304)
const isEmpty = (status: number) => status === 204 || status === 304

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the response you have cached.',
  schema: { type: 'string' },
}

function parametersOf(location: 'path' | 'query', schema: Schema | undefined) {
  const { properties = {}, required = [] } = schema ? json(schema, 'input') : {}
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema,
  }))
}

function success(status: number, e: Endpoint, reply: unknown) {
  const { properties = {} } = e.headers ? json(e.headers, 'output') : {}
  const headers = Object.fromEntries(
    Object.entries({ ...properties, ...(isTagged(e) && { ETag: { type: 'string' } }) }).map(([name, schema]) => [
      name,
      { required: true, schema },
    ]),
  )
  return {
    description: SUCCESSES[status] ?? '',
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(!isEmpty(status) && content(reply, e.gives)),
  }
}

function failure({ codes, description, hasRetryAfter }: Failure) {
  const header = { description: 'Seconds to wait before trying again.', required: true, schema: { type: 'integer' } }
  const example = { error: { code: codes[0], message: '…' } }
  return {
    description: `${description} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    ...(hasRetryAfter && { headers: { 'Retry-After': header } }),
    content: { 'application/json': { schema: { $ref: refTo('ErrorReply') }, example } },
  }
}

const content = (schema: unknown, type = 'application/json') => ({ content: { [type]: { schema } } })
const refTo = (shape: string) => `#/components/schemas/${shape}`

/** Describes all replies together, so that they can reference the schemas they share. */
function describeReplies(replies: [name: string, reply: Schema][]) {
  const registry = z.registry<{ id: string }>()
  for (const [id, shape] of Object.entries(shapes)) registry.add(shape, { id })
  registry.add(z.object(Object.fromEntries(replies)), { id: 'replies' })
  const { replies: all, ...shared } = z.toJSONSchema(registry, { ...settings('output'), uri: refTo }).schemas
  return {
    schemas: Object.fromEntries(Object.entries(shared).map(([name, schema]) => [name, bare(schema)])),
    replies: all?.properties ?? {},
  }
}

const json = (schema: Schema, io: 'input' | 'output'): Json => bare(z.toJSONSchema(schema, settings(io)))

/** Schemas in the document have no `$schema` and `$id` of their own. */
const bare = ({ $schema, $id, ...schema }: Json): Json => schema

/** Makes zod's description readable. */
function settings(io: 'input' | 'output') {
  return {
    io,
    metadata: notes,
    // Empty replies and transformations are described elsewhere.
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod
      // For a text that becomes a number, or a normalized name, both ends of the pipe apply.
      if (def.type === 'pipe') Object.assign(jsonSchema, json(def.in, io), json(def.out, io))
      // Later versions may add fields.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      if (jsonSchema.format === 'uuid') delete jsonSchema.pattern
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  } satisfies Parameters<typeof z.toJSONSchema>[1]
}
