import { expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'

test('a proxy missing from TRUST_PROXY is logged once; a client that sends X-Forwarded-For is not', async () => {
  const log: string[] = []
  const server = await startParley({ LOG_LEVEL: 'warn' }, { write: (line) => log.push(JSON.parse(line).msg) })
  const askFrom = (remoteAddress: string, headers = {}) =>
    server.app.inject({ url: '/healthz', remoteAddress, headers })
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  await askFrom('127.0.0.1')
  await askFrom('198.51.100.1', forwarded)
  expect(log).toEqual([])
  for (const address of ['127.0.0.1', '127.0.0.1', '10.0.0.7']) await askFrom(address, forwarded)
  expect(log).toEqual([
    expect.stringMatching(/^Requests come through 127\.0\.0\.1, .* TRUST_PROXY/),
    expect.stringMatching(/^Requests come through 10\.0\.0\.7, .* TRUST_PROXY/),
  ])
  for (let n = 0; n < 100; n++) await askFrom(`10.0.1.${n}`, forwarded)
  expect(log).toHaveLength(10)
})
