import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLIENT, type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { transaction, untilLockWait } from '../test/support/open-transactions.ts'
import { startParley } from '../test/support/parley.ts'

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let signIn: ReturnType<typeof hostedSignIn>['signIn']

beforeAll(async () => {
  provider = await startProvider()
  for (const name of ['ada', 'bob'])
    provider.people[name] = { email: `${name}@example.com`, email_verified: true, preferred_username: name }
  parley = await startParley(provider.settings)
  await parley.person('olga')
  ;({ signIn } = hostedSignIn(parley))
})
afterAll(() => provider.close())

async function logOut(claims: object) {
  const { kid, privateKey } = provider.key()
  const now = Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const usual = { iss: provider.issuer, aud: CLIENT.clientId, iat: now, exp: now + 120, jti: randomUUID(), events }
  const token = await new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'logout+jwt' })
    .sign(privateKey)
  const body = new URLSearchParams({ logout_token: token })
  const answer = await fetch(`${parley.address}/api/auth/backchannel-logout`, { method: 'POST', body })
  expect(answer.status).toBe(200)
}

test('a sign-in in progress when the provider ends the session does not outlive it', async () => {
  for (const name of ['ada', 'bob']) {
    expect((await signIn(name)).me.username).toBe(name)
    // A sign-in reads this table after it has asked the provider, and before it has a session.
    const held = await transaction(parley.databaseUrl, ['lock table groups in access exclusive mode'])
    const signingIn = signIn(name)
    await untilLockWait(parley.databaseUrl, 'groups')
    await logOut({ sub: name })
    await held.rollback()
    const { me, error } = await signingIn
    expect([me, typeof error]).toEqual([undefined, 'string'])
    // A new sign-in succeeds, however soon.
    expect((await signIn(name)).me.username).toBe(name)
  }
})
