import { expect, test } from 'vitest'
import { readConfig } from './config/config.ts'
import { StartError } from './config/start-error.ts'
import { startParley } from './test/support/parley.ts'

test('health and readiness answer without a token', async () => {
  const { app } = await startParley()
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  expect((await app.inject('/readyz')).statusCode).toBe(200)
})

test('an unknown path answers 404 with a code, and shared caches never store API responses', async () => {
  const { app } = await startParley()
  const missing = await app.inject('/api/nothing')
  expect(missing.statusCode).toBe(404)
  expect(missing.json().error.code).toBe('not_found')
  expect(missing.headers['cache-control']).toBe('private, no-store')
})

test('broken or oversized JSON is refused without revealing internals', async () => {
  const { app, person } = await startParley()
  const ada = await person('ada')
  const send = (payload: string) =>
    app.inject({
      method: 'POST',
      url: '/api/messages',
      payload,
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
    })
  const broken = await send('{"channelId":')
  expect([broken.statusCode, broken.json().error.code]).toEqual([400, 'invalid'])
  const large = await send(`"${'x'.repeat(70_000)}"`)
  expect([large.statusCode, large.json().error.code]).toEqual([413, 'too_large'])
})

test('an internal error reveals only its request id', async () => {
  const { app, person } = await startParley()
  const ada = await person('ada')
  await app.db.schema.alterTable('messages').renameTo('elsewhere').execute()
  const [channel] = (await ada.get('/api/channels')).body.channels
  const { status, body } = await ada.get(`/api/messages/channel/${channel.id}`)
  expect(status).toBe(500)
  expect(body.error).toEqual({
    code: 'internal',
    reason: 'internal',
    message: expect.not.stringContaining('elsewhere'),
    requestId: expect.any(String),
  })
})

test('closing the app closes sockets and connections', async () => {
  const { app, person, stop } = await startParley()
  const { socket } = await (await person('ada')).listen()
  await stop()
  await expect.poll(() => socket.connected).toBe(false)
  expect(app.server.listening).toBe(false)
})

test.each([
  [{ PORT: 'http' }, 'PORT must be a number from 0 to 65535'],
  [{ PORT: '70000' }, 'PORT must be a number from 0 to 65535'],
  [{ PUBLIC_URL: 'chat.example.com' }, 'PUBLIC_URL must be an address such as https://chat.example.com'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address such as postgres://'],
  [
    { METRICS_TOKEN: 'short' },
    'METRICS_TOKEN must have at least 16 letters, digits and symbols; the value is not shown',
  ],
  [{ RATE_LIMIT: 'no' }, 'RATE_LIMIT must be on or off'],
  [{ SIGNUP: 'maybe' }, 'SIGNUP must be open, invite or closed'],
  [{ OIDC_ISSUER: 'http://id.example.com' }, 'OIDC_ISSUER must be the https address of an OpenID Connect provider'],
  [{ OIDC_ISSUER: 'https://id.example.com' }, 'OIDC_CLIENT_ID is missing'],
  [{ OIDC_CLIENT_ID: 'parley' }, 'OIDC_ISSUER is missing'],
  [{ OIDC_ONLY: 'true' }, 'OIDC_ISSUER is missing'],
  [{ OIDC_ONLY: 'yes' }, 'OIDC_ONLY must be true or false'],
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must be addresses or networks of proxies'],
  [{ TRUST_PROXY: '10.0.0.1/99' }, 'TRUST_PROXY must be addresses or networks of proxies'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
])('an invalid setting %j stops startup with one sentence', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(StartError)
  expect(() => readConfig(environment)).toThrow(sentence)
})

test('an empty setting counts as unset', () => {
  expect(readConfig({ PORT: '', PUBLIC_URL: '' })).toMatchObject({ port: 3000, publicUrl: undefined })
})
