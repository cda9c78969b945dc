import { expect, test } from 'vitest'
import { busy, internal, reasonOf, unavailable } from './errors.ts'
import { startProvider } from './test/services/identity-provider.ts'
import { hostedSignIn } from './test/services/provider-sign-in.ts'
import { freePort } from './test/support/free-port.ts'
import { startParley } from './test/support/parley.ts'

test('a reason for the log is the cause, not the message for users', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' })
  const fetched = new TypeError('fetch failed', { cause: refused })
  expect(reasonOf(fetched)).toBe('fetch failed: connect ECONNREFUSED 127.0.0.1:9')
  expect(reasonOf(unavailable(fetched))).toBe('fetch failed: connect ECONNREFUSED 127.0.0.1:9')
  expect(reasonOf(busy('too many wait'))).toBe('too many wait')
  expect(reasonOf(new AggregateError([refused, new Error('connect ECONNREFUSED ::1:9')]))).toBe(
    'connect ECONNREFUSED 127.0.0.1:9, connect ECONNREFUSED ::1:9',
  )
  expect(reasonOf(internal())).toBe(internal().message)
  expect(reasonOf('text')).toBe('text')
})

/** Collects log lines. */
function openLog() {
  const lines: string[] = []
  const find = (message: string) => lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === message)
  return { to: { write: (line: string) => void lines.push(line) }, find }
}

test('the log has the reason if the file storage is unavailable', async () => {
  const port = await freePort()
  const { find, to } = openLog()
  const S3 = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
  const settings = { ...S3, S3_ENDPOINT: `http://127.0.0.1:${port}`, LOG_LEVEL: 'warn' }
  const { person } = await startParley(settings, to)
  const ada = await person('ada')
  const { status, body } = await ada.upload(undefined, 'a.txt')
  expect(status).toBe(503)
  expect(find(body.error.message)).toMatchObject({
    reason: expect.stringContaining(`connect ECONNREFUSED 127.0.0.1:${port}`),
    url: '/api/files/upload',
  })
})

test('the log has the reason if the identity provider is unavailable', async () => {
  const port = await freePort()
  const { find, to } = openLog()
  const OIDC = { OIDC_ISSUER: `http://127.0.0.1:${port}`, OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'x' }
  const { app } = await startParley({ ...OIDC, LOG_LEVEL: 'warn' }, to)
  const payload = { provider: 'oidc', callbackURL: '/' }
  const { statusCode } = await app.inject({ method: 'POST', url: '/api/auth/sign-in/social', payload })
  expect(statusCode).toBe(503)
  expect(find('the identity provider does not respond')).toMatchObject({
    reason: `http://127.0.0.1:${port}/.well-known/openid-configuration does not respond: fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`,
  })
})

test('the log has the request of a refused sign-in with the provider', async () => {
  const provider = await startProvider({ 'sub-lou': { email: 'lou@example.com', email_verified: false } })
  const { find, to } = openLog()
  const parley = await startParley({ ...provider.settings, LOG_LEVEL: 'warn' }, to)
  await parley.person('lou')
  expect(await hostedSignIn(parley).signIn('sub-lou')).toMatchObject({ error: 'account_not_linked' })
  const line = find('account_not_linked')
  expect(line).toMatchObject({ reqId: expect.any(String), url: '/api/auth/callback/oidc' })
  expect(JSON.stringify(line)).not.toContain('lou@example.com')
  await provider.close()
})
