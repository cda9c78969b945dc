import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { type CryptoKey, decodeJwt, exportSPKI, importJWK, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { OidcConfig } from '../config/oidc-settings.ts'
import { CLIENT, type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { longTest } from '../test/support/long.ts'
import { type Person, startParley } from '../test/support/parley.ts'
import { discovery } from './oidc-discovery.ts'

// A malicious provider, or an impostor. Nobody gets somebody else's account, the page shows an error, and the log has the
// cause.

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let signIn: ReturnType<typeof hostedSignIn>['signIn']
let kim: Person
const log: string[] = []

beforeAll(async () => {
  provider = await startProvider({ mei: { email: 'mei@example.com', email_verified: true, preferred_username: 'mei' } })
  parley = await startParley({ ...provider.settings, LOG_LEVEL: 'info' }, { write: (line) => log.push(line) })
  await parley.person('root')
  kim = await parley.person('kim')
  ;({ signIn } = hostedSignIn(parley))
  expect((await signIn('mei')).me.username).toBe('mei')
})
afterAll(() => provider.close())
afterEach(() => {
  provider.setForge(undefined)
  for (const path of ['/.well-known/openid-configuration', '/jwks', '/token', '/me']) provider.setLie(path)
})

const now = () => Math.floor(Date.now() / 1000)
type Forge = NonNullable<Parameters<StandIn['setForge']>[0]>

/** An id token with changed claims, signed by the provider. */
const claiming =
  (change: object): Forge =>
  async (answer) => {
    const { kid, privateKey } = provider.key()
    const claims = { ...decodeJwt(String(answer['id_token'])), ...change }
    return { ...answer, id_token: await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey) }
  }

/** The causes in the log; the line about the failed sign-in has the page's error code. */
const reasons = () =>
  log
    .map((line) => JSON.parse(line).reason as string | undefined)
    .filter((reason) => reason !== undefined && !/^[a-z_]+$/.test(reason))

const json = (value: unknown) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
/** The start of JSON that goes on for 100 MB. */
function* endless() {
  yield '{"a":"'
  for (let n = 0; n < 100; n++) yield 'x'.repeat(1_000_000)
  yield '"}'
}
const sendMuch = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  Readable.from(endless()).pipe(response)
}
const leadTo = (location: string) => (response: ServerResponse) => response.writeHead(302, { location }).end()

/** A service on the internal network, which records the requests it receives. */
async function startInner() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    json({ issuer: provider.issuer, keys: [], sub: 'mei', email: kim.email, email_verified: true })(response)
  }).listen(0, '127.0.0.1')
  atEnd(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest/meta-data` }
}

test.each<[string, object]>([
  ['it is from the future', { iat: 4_000_000_000, exp: 4_000_000_600 }],
  ['it expired before it was issued', { iat: now(), exp: now() - 600 }],
  ['its times are not numbers', { iat: '0', exp: 'never' }],
  ['its times are out of range', { iat: 1e300, exp: 1e301 }],
  ['it has several audiences and no authorized party', { aud: [CLIENT.clientId, 'other'] }],
  ['it has no subject', { sub: '' }],
  ['its subject is a list', { sub: ['mei'] }],
  ['its subject is an object', { sub: {} }],
  ['its subject cannot be stored', { sub: 'mei\0' }],
  ['its subject is too long', { sub: 'x'.repeat(5000) }],
])('an id token is refused if %s', async (_, change) => {
  provider.setForge(claiming(change))
  log.length = 0
  expect(await signIn('mei')).toMatchObject({ error: 'unable_to_get_user_info', me: undefined })
  expect(reasons()).toHaveLength(1)
})

test('an id token signed with the public key as a secret is refused', async () => {
  const jwks = (await (await fetch(`${provider.issuer}/jwks`)).json()) as { keys: object[] }
  const pem = await exportSPKI((await importJWK(jwks.keys[0] as object, 'RS256')) as CryptoKey)
  provider.setForge(async (answer) => {
    const token = new SignJWT(decodeJwt(String(answer['id_token'])))
    const header = { alg: 'HS256', kid: provider.key().kid }
    return { ...answer, id_token: await token.setProtectedHeader(header).sign(new TextEncoder().encode(pem)) }
  })
  expect(await signIn('mei')).toMatchObject({ error: 'unable_to_get_user_info', me: undefined })
})

test.each<[string, object, object]>([
  ['the text "false"', { email_verified: 'false' }, {}],
  ['a one', { email_verified: 1 }, {}],
  ['nothing, and its user info verifies another address', {}, { email: 'eve@example.com', email_verified: true }],
  ['a no, and its user info a yes', { email_verified: false }, { email_verified: true }],
])('an address gives no access to its account if the provider verifies it with %s', async (_, claims, info) => {
  provider.people['eve'] = { email: kim.email }
  provider.setForge(claiming({ email: kim.email, ...claims }))
  provider.setLie('/me', json({ sub: 'eve', email: kim.email, ...info }))
  expect(await signIn('eve')).toMatchObject({ error: 'account_not_linked', me: undefined })
  expect((await kim.get('/api/channels')).status).toBe(200)
})

test('user info about somebody else is not read', async () => {
  provider.people['eve'] = { email: 'eve@example.com', email_verified: true, preferred_username: 'eve' }
  provider.setLie('/me', json({ sub: 'mei', email: kim.email, email_verified: true }))
  expect(await signIn('eve')).toMatchObject({ error: 'email_not_found', me: undefined })
})

test('a person whose address at the provider becomes somebody else’s keeps their own account', async () => {
  const { me } = await signIn('mei')
  provider.people['mei'] = { email: kim.email, email_verified: true, preferred_username: 'kim' }
  expect((await signIn('mei')).me).toMatchObject({ id: me.id, username: 'mei' })
  expect((await kim.get('/api/channels')).status).toBe(200)
  provider.people['mei'] = { email: 'mei@example.com', email_verified: true, preferred_username: 'mei' }
})

test.each<[string, object]>([
  ['a line break', { email: 'a@example.com\nb' }],
  ['a NUL', { email: 'a\0@example.com' }],
  ['no sign', { email: 'example.com' }],
  ['ten thousand characters', { email: `${'a'.repeat(10_000)}@example.com` }],
  ['another type', { email: ['a@example.com'] }],
])('an address with %s creates no user', async (_, claims) => {
  provider.people['odd'] = { preferred_username: 'odd' }
  provider.setForge(claiming({ ...claims, email_verified: true, preferred_username: 'odd' }))
  expect(await signIn('odd')).toMatchObject({ error: 'email_not_found', me: undefined })
})

test.each<[string, string, (response: ServerResponse) => unknown, string, RegExp]>([
  ['token', 'much', sendMuch, 'invalid_code', /token.* sends more than/],
  [
    'token',
    'an error',
    (it) => it.writeHead(400).end('{"error":"invalid_client"}'),
    'invalid_code',
    /400.*invalid_client/,
  ],
  ['token', 'no object', json(null), 'invalid_code', /token.* sends no JSON object/],
  ['token', 'strange types', json({ id_token: {}, access_token: [] }), 'invalid_code', /token sends no tokens/],
  ['token', 'nothing', json({}), 'unable_to_get_user_info', /it is missing/],
  ['me', 'much', sendMuch, 'unable_to_get_user_info', /me sends more than/],
  ['me', 'an error', (it) => it.writeHead(500).end('oops'), 'unable_to_get_user_info', /me answers 500/],
  ['me', 'no object', json(null), 'unable_to_get_user_info', /me sends no JSON object/],
  ['me', 'half of it', (it) => it.write('{"sub":') && it.destroy(), 'unable_to_get_user_info', /./],
])('a sign-in fails, with the cause in the log, if /%s sends %s', async (path, _, lie, code, reason) => {
  provider.people['sub-info'] = { email: 'info@example.com', email_verified: true }
  provider.setLie(`/${path}`, lie)
  log.length = 0
  expect(await signIn('sub-info')).toMatchObject({ error: code, me: undefined })
  expect(reasons()).toEqual([expect.stringMatching(reason)])
  expect(log.filter((line) => line.includes(CLIENT.clientSecret) || line.length > 3000)).toEqual([])
})

test('redirects of the provider are not followed', async () => {
  const inner = await startInner()
  provider.people['sub-info'] = { email: 'info@example.com', email_verified: true }
  for (const path of ['/token', '/me']) {
    provider.setLie(path, leadTo(inner.url))
    expect((await signIn('sub-info')).me, path).toBeUndefined()
    provider.setLie(path)
  }
  const document = '/.well-known/openid-configuration'
  provider.setLie(document, leadTo(inner.url))
  await expect(discovery(configOf())(0)).rejects.toThrow(/answers 302/)
  provider.setLie(document)
  provider.setLie('/jwks', leadTo(inner.url))
  const { keys } = await discovery(configOf())(0)
  await expect(keys({ alg: 'RS256' }, {} as never)).rejects.toThrow()
  expect(inner.seen).toEqual([])
})

const configOf = () => parley.app.config.oidc as OidcConfig

test.each<[string, unknown, RegExp]>([
  ['is no object', [], /sends no JSON object|issuer/],
  ['is another issuer’s', { issuer: 'http://evil.example'.repeat(1000) }, /^OIDC_ISSUER is .{1,400}$/],
  ['contains the URL of a script', { authorization_endpoint: 'javascript:alert(1)' }, /where an address belongs/],
  ['names a file', { jwks_uri: 'file:///etc/passwd' }, /where an address belongs/],
  ['names much', { token_endpoint: ['x'.repeat(100_000)] }, /^.{1,400}$/],
])('a discovery document that %s is refused', async (_, change, message) => {
  const path = '/.well-known/openid-configuration'
  const document = (await (await fetch(`${provider.issuer}${path}`)).json()) as object
  provider.setLie(path, json(Array.isArray(change) ? change : { ...document, ...(change as object) }))
  await expect(discovery(configOf())(0)).rejects.toThrow(message)
})

test('the document and the keys are read up to a limit', async () => {
  const { keys } = await discovery(configOf())(0)
  provider.setLie('/jwks', sendMuch)
  await expect(keys({ alg: 'RS256' }, {} as never)).rejects.toThrow(/sends more than/)
  provider.setLie('/.well-known/openid-configuration', sendMuch)
  await expect(discovery(configOf())(0)).rejects.toThrow(/sends more than/)
})

longTest('a provider that sends a letter a second is waited for up to the deadline', async () => {
  const drip = (response: ServerResponse) => {
    const timer = setInterval(() => response.write(' '), 1000)
    response.writeHead(200).on('close', () => clearInterval(timer))
  }
  provider.people['sub-info'] = { email: 'info@example.com', email_verified: true }
  for (const path of ['/token', '/me']) {
    provider.setLie(path, drip)
    const begunAt = Date.now()
    expect((await signIn('sub-info')).error, path).toMatch(/invalid_code|unable_to_get_user_info/)
    expect(Date.now() - begunAt, path).toBeLessThan(8000)
    provider.setLie(path)
  }
})
