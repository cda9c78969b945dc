import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { serve, startParley } from '../test/support/parley.ts'

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>

beforeAll(async () => {
  provider = await startProvider({ 'sub-mei': { email: 'mei@example.com', email_verified: true } })
  parley = await startParley(provider.settings)
})
afterAll(() => provider.close())

/** Starts a sign-in on one node and sends its callback, with a changed issuer, to another one that has just started. */
async function callbackOnFreshNode(changeIssuer: (issuer: string) => string) {
  const fresh = await serve(parley.databaseUrl, provider.settings)
  const { url, surfer } = await hostedSignIn(parley).begin()
  const callback = new URL(await surfer.follow(url, 'sub-mei', (it) => it.includes('/api/auth/callback/')))
  callback.searchParams.set('iss', changeIssuer(callback.searchParams.get('iss') ?? ''))
  provider.requests.length = 0
  const response = await fresh.app.inject({
    url: `${callback.pathname}${callback.search}`,
    headers: { host: callback.host, cookie: surfer.cookiesFor(callback.href) },
  })
  return response.headers.location
}

test('a callback from another issuer is refused on a node that never started a sign-in', async () => {
  expect(await callbackOnFreshNode(() => 'http://evil.example')).toBe('/sign-in?error=issuer_mismatch')
  expect(provider.requests).not.toContain('/token')
})

test('a callback from the provider is accepted on a node that never started a sign-in', async () => {
  expect(await callbackOnFreshNode((issuer) => issuer)).toBe('/dashboard')
})
