import { subscribe } from 'node:diagnostics_channel'
import { readdir } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { calls } from '#contract/calls'
import type { AnyEndpoint } from '#contract/endpoint'
import { ErrorReply, errorCodes } from '#contract/errors'
import { startParley } from '../test/support/parley.ts'
import type { describeApi } from './openapi.ts'
import { FAILURES } from './openapi-failures.ts'

type Document = ReturnType<typeof describeApi>

/** The routes that the servers of this file mount, such as `GET /api/channels/:channelId`. */
const mounted = new Set<string>()
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url, config }) => {
    for (const one of [method].flat()) if (one !== 'HEAD' && !config?.isRefusal) mounted.add(`${one} ${url}`)
  })
})

const endpoints = Object.values(calls).flatMap((noun) => Object.entries(noun))
const spell = ({ method, path }: AnyEndpoint) => `${method} ${path}`

const { app, address } = await startParley()
const document: Document = (await app.inject('/api/openapi.json')).json()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, at: `${method} ${path}` })),
)
const operation = (name: string) => operations.find(({ operationId }) => operationId === name)

test('the document is valid OpenAPI 3.1, and all its references resolve', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  const referred = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to)
  const { schemas, responses } = document.components
  const present = Object.entries({ schemas, responses }).flatMap(([kind, of]) =>
    Object.keys(of).map((name) => `#/components/${kind}/${name}`),
  )
  expect([...new Set(referred)].sort()).toEqual(present.sort())
})

test('every call of every file of the contract is listed', async () => {
  const contract = new URL('../../contract/', import.meta.url)
  const written = []
  for (const file of await readdir(contract)) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file === 'calls.ts') continue
    const exported: Record<string, unknown> = await import(new URL(file, contract).href)
    for (const [name, value] of Object.entries(exported))
      if (typeof value === 'object' && value !== null && 'method' in value && 'path' in value) written.push(name)
  }
  expect(endpoints.map(([name]) => name).sort()).toEqual(written.sort())
})

test('the document lists every call under its name, and nothing else', () => {
  const described = operations.map(({ at, operationId }) => `${operationId}: ${at}`)
  const listed = endpoints.map(
    ([name, { method, path }]) => `${name}: ${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
  )
  expect(described.sort()).toEqual(listed.sort())
})

test('every call is mounted, and every other route is on a known list', () => {
  const own = [...mounted].filter((it) => / \/api\/(?!auth\/|scim\/|docs(\/|$)|openapi\.json$)/.test(it))
  expect(own.sort()).toEqual(endpoints.map(([, e]) => spell(e)).sort())
})

test.each(operations)('$at documents its parameters and responses', ({ at, security, parameters = [], responses }) => {
  expect(security).toEqual([{ token: [] }])
  const statuses = Object.keys(responses).map(Number)
  expect(statuses).toEqual(expect.arrayContaining([401, 429, 500, 503]))
  expect(statuses.filter((status) => status < 300)).not.toEqual([])
  const inPath = parameters.filter((it) => it.in === 'path').map(({ name }) => `{${name}}`)
  expect(inPath.sort()).toEqual((at.match(/\{\w+\}/g) ?? []).sort())
})

test('parameters with a default are optional, and numeric strings are documented as numbers', () => {
  expect(operation('listMessages')?.parameters).toEqual(
    expect.arrayContaining([
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      },
      { name: 'after', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } },
    ]),
  )
  expect(operation('listChanges')?.parameters).toContainEqual(
    expect.objectContaining({ name: 'after', in: 'query', required: true }),
  )
  const body = operation('createChannel')?.requestBody?.content['application/json']?.schema
  expect(body).toMatchObject({
    required: ['name'],
    properties: { name: { type: 'string', minLength: 1, maxLength: 80 } },
  })
})

test('the other possible responses of a call are documented', () => {
  const successes = (name: string) => Object.keys(operation(name)?.responses ?? {}).filter((it) => Number(it) < 400)
  for (const name of ['sendMessage', 'sendReply', 'createChannel', 'openDirectMessage'])
    expect(successes(name)).toEqual(['200', '201'])
  for (const name of ['listMessages', 'listUsers']) expect(successes(name)).toEqual(['200', '304'])
  expect(operation('deleteMessage')?.responses['204']).not.toHaveProperty('content')
})

test('strings with a format name it', () => {
  const bodyOf = (name: string, part: string) => {
    const schema = operation(name)?.requestBody?.content['application/json']?.schema
    return (schema as { properties: Record<string, object> }).properties[part]
  }
  const queryOf = (name: string, part: string) => operation(name)?.parameters?.find((it) => it.name === part)?.schema
  const fits = (schema: unknown, text: string) =>
    new RegExp((schema as { pattern?: string }).pattern ?? '', 'u').test(text)

  const username = bodyOf('updateMe', 'username')
  for (const good of ['ada', 'a.b-c_d', 'x'.repeat(30), 'assistants', '007']) expect(fits(username, good)).toBe(true)
  for (const bad of [
    'ad',
    'x'.repeat(31),
    'a b',
    'all',
    'here',
    'assistant-bot',
    'a55istant',
    'assistant.9',
    'ädä',
    '',
  ])
    expect([bad, fits(username, bad)]).toEqual([bad, false])

  for (const emoji of [bodyOf('setStatus', 'user_status'), bodyOf('addReaction', 'emoji')]) {
    for (const good of ['🎧', '❤️', '👍🏽', '👩‍🚀', '👨‍👩‍👧‍👦', '🇩🇪', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🏳️‍🌈'])
      expect([good, fits(emoji, good)]).toEqual([good, true])
    for (const bad of ['', 'x', '1', '🎧🎧', '🇩', '❤', 'ok 👍', '👍\u0000'])
      expect([bad, fits(emoji, bad)]).toEqual([bad, false])
  }

  for (const day of [queryOf('search', 'before'), queryOf('search', 'after')]) {
    for (const good of ['2026-01-31', '2024-02-29', '2026-01-31T10:00Z'])
      expect([good, fits(day, good)]).toEqual([good, true])
    for (const bad of ['2026-02-29', '2026-1-1', 'today', '2026-01-31T24:00Z'])
      expect([bad, fits(day, bad)]).toEqual([bad, false])
  }
})

test('every field of an error is documented', () => {
  const told = Object.keys(ErrorReply.shape.error.shape).filter((name) => name !== 'requestId')
  for (const name of told) expect(document.info.description).toContain(`\`${name}\``)
})

test('every error code has a status', () => {
  expect(FAILURES.flatMap(({ codes }) => codes).sort()).toEqual(errorCodes.toSorted())
})

test('the documentation page loads nothing from other servers', async () => {
  const page = await fetch(`${address}/api/docs`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'self'; style-src 'self'; img-src 'self' data:;/,
  )
  const html = await page.text()
  const parts = [...html.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, url = '']) => url)
  expect(parts.length).toBeGreaterThan(3)
  for (const part of [...parts, '/api/docs/json']) {
    expect(part).toMatch(/^\/api\/docs\//)
    const answer = await fetch(address + part)
    expect([part, answer.status]).toEqual([part, 200])
    const text = await answer.text()
    if (part.endsWith('.css')) expect(text).not.toMatch(/@import|url\(["']?(https?:)?\/\//)
    if (part.endsWith('initializer.js')) expect(text).toContain('validatorUrl: null')
    if (part.endsWith('json')) expect(JSON.parse(text)).toEqual(document)
  }
})
