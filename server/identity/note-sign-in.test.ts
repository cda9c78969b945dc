import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { type Person, startParley } from '../test/support/parley.ts'

// Log lines about sign-ins.

const log: string[] = []
let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person

beforeAll(async () => {
  provider = await startProvider({
    'sub-mei': { email: 'mei@example.com', email_verified: true, preferred_username: 'mei' },
  })
  const settings = { ...provider.settings, LOG_LEVEL: 'info', RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' }
  parley = await startParley(settings, { write: (line) => log.push(line) })
  ada = await parley.person('ada')
})
afterAll(() => provider.close())
beforeEach(() => void log.splice(0))

const lines = () =>
  log
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => /sign/.test(msg))
    .map(({ level, msg, address, account, method, reason }) => ({ level, msg, address, account, method, reason }))

function signIn(username: string, password: string, address = '203.0.113.7') {
  const headers = { 'x-forwarded-for': address }
  return parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/username',
    payload: { username, password },
    headers,
  })
}

const INFO = 30
const WARN = 40
const failed = { level: WARN, msg: 'sign-in failed', address: '203.0.113.7', account: 'ada', method: 'password' }
const WRONG = 'INVALID_USERNAME_OR_PASSWORD'

test('a sign-in is logged with the address, the account and the method', async () => {
  await signIn('ada', ada.password, '2001:db8:1:2:3::4')
  expect(lines()).toEqual([
    { level: INFO, msg: 'signed in', address: '2001:db8:1:2:3::4', account: 'ada', method: 'password' },
  ])
})

test('a sign-up is logged as a sign-in', async () => {
  await parley.person('bob')
  expect(lines()).toEqual([{ level: INFO, msg: 'signed in', address: '127.0.0.1', account: 'bob', method: 'sign-up' }])
})

test('failed sign-ins are logged, even beyond the rate limit, without anything that was typed', async () => {
  await signIn('ada', 'not my password')
  await signIn('my.password.by.mistake', 'x')
  expect(lines()).toEqual([
    { ...failed, reason: WRONG },
    { ...failed, account: null, reason: WRONG },
  ])
  await parley.app.db.updateTable('tries').set({ count: 30 }).execute()
  await signIn('ada', ada.password)
  expect(lines().slice(2)).toEqual([{ ...failed, reason: expect.stringMatching(/./) }])
  expect(log.join()).not.toMatch(/not my password|by\.mistake/)
  await parley.app.db.deleteFrom('tries').execute()
})

test('successful and failed sign-ins with the provider are logged', async () => {
  await hostedSignIn(parley).signIn('sub-mei')
  expect(lines()).toEqual([{ level: INFO, msg: 'signed in', address: '127.0.0.1', account: 'mei', method: 'provider' }])
  await parley.app.inject({ url: '/api/auth/callback/oidc?error=access_denied&state=unknown' })
  expect(lines().slice(1)).toEqual([
    { ...failed, address: '127.0.0.1', account: null, method: 'provider', reason: expect.stringMatching(/./) },
  ])
})

test.each(['203.0.113.7', '2001:db8:1:2:3::4'])(
  'the lines of failed sign-ins from %s have the form that the manual’s filter expects',
  async (address) => {
    await signIn('ada', 'wrong', address)
    const line = log.find((it) => it.includes('sign-in failed'))
    expect(line?.trim()).toMatch(
      new RegExp(
        `"address":"${address}","account":(?:null|"[^"]*"),"method":"[^"]*","reason":"[^"]*","msg":"sign-in failed"}$`,
      ),
    )
  },
)
