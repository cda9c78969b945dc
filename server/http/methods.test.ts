import { expect, test } from 'vitest'
import { calls } from '#contract/calls'
import type { AnyEndpoint } from '#contract/endpoint'
import { startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'

const parley = await startParley()
const { ada } = await parley.people('ada')

const all: AnyEndpoint[] = Object.values(calls).flatMap((noun) => Object.values(noun))
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

test('an unsupported method answers 405 and lists the allowed methods', async () => {
  const paths = Map.groupBy(all, ({ path }) => path)
  expect(paths.size).toBeGreaterThan(30)
  for (const [path, those] of paths) {
    const has = new Set(those.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))
    const url = path.replace(/:\w+/g, '019a0000-0000-7000-8000-000000000000')
    for (const method of METHODS) {
      if (has.has(method)) continue
      const line = await openRawConnection(parley.address)
      line.write(`${method} ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`)
      line.write(`Authorization: Bearer ${ada.token}\r\nContent-Type: application/xml\r\nContent-Length: 1\r\n\r\n<`)
      await line.closed
      const [, allow = ''] = /^allow: (.*)\r$/im.exec(line.received()) ?? []
      expect([method, url, line.received().slice(9, 12), allow.split(', ').sort()]).toEqual([
        method,
        url,
        '405',
        [...has].sort(),
      ])
      expect(line.received()).toContain('"code":"method_not_allowed"')
    }
  }
})

test.each([
  ['DELETE', '/api/auth/sign-out'],
  ['GET', '/api/auth/sign-in/email'],
  ['POST', '/api/auth/token'],
  ['PUT', '/api/openapi.json'],
] as const)('%s %s answers 404', async (method, url) => {
  const answer = await parley.app.inject({ method, url, headers: { cookie: ada.cookie, origin: 'http://localhost' } })
  expect(answer.statusCode).toBe(405)
  expect(answer.headers['allow']).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
  expect((await ada.get('/api/channels')).status).toBe(200)
})

test('paths that are not calls are unaffected', async () => {
  for (const url of ['/api/nothing', '/api', '/nothing', '/healthz'])
    expect([url, (await parley.app.inject({ method: 'DELETE', url })).statusCode]).toEqual([url, 404])
})
