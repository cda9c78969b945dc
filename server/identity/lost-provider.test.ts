import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { type Person, serve, startParley } from '../test/support/parley.ts'
import { createPasswordReset } from './password-resets.ts'

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
const NEXT = 'a better battery staple'

beforeAll(async () => {
  provider = await startProvider()
  parley = await startParley(provider.settings)
  ada = await parley.person('ada')
  provider.people['sub-ada'] = { email: ada.email, email_verified: true, preferred_username: 'ada' }
  expect((await hostedSignIn(parley).signIn('sub-ada')).me.id).toBe(ada.id)
})
afterAll(() => provider.close())

test('an owner who signed in with a provider can set a password by a link once the provider is gone', async () => {
  const link = { userId: ada.id, createdBy: null, source: {} }
  const create = ({ app }: Pick<typeof parley, 'app'>) =>
    app.db.transaction().execute((tx) => createPasswordReset(tx, app.config, link))
  await expect(create(parley)).rejects.toMatchObject({ status: 409, code: 'no_password' })
  const without = await serve(parley.databaseUrl)
  const { code } = await create(without)
  const post = ({ app }: Pick<typeof parley, 'app'>, path: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/auth${path}`, payload })
  // A server with the provider sets no first password.
  expect((await post(parley, '/password-reset', { code, new: NEXT })).statusCode).toBe(404)
  expect((await post(without, '/password-reset', { code, new: NEXT })).statusCode).toBe(200)
  expect((await post(without, '/sign-in/username', { username: 'ada', password: NEXT })).statusCode).toBe(200)
})

test('without the provider its sessions stay valid and can be ended, and members set a password by the owner’s link', async () => {
  provider.people['sub-mei'] = { email: 'mei@example.com', email_verified: true, preferred_username: 'mei' }
  const mei = await hostedSignIn(parley).signIn('sub-mei')
  const owner = await hostedSignIn(parley).signIn('sub-ada')
  const without = await serve(parley.databaseUrl)
  const ask = async ({ surfer }: typeof mei, method: 'GET' | 'POST', url: string) => {
    const cookie = surfer.cookiesFor(parley.address)
    const token = (await without.app.inject({ url: '/api/auth/token', headers: { cookie } })).json().token
    const headers = { cookie, origin: 'http://localhost:80', authorization: `Bearer ${token}` }
    return without.app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) })
  }
  expect((await ask(mei, 'GET', '/api/channels')).statusCode).toBe(200)
  expect((await ask(mei, 'GET', '/api/auth/callback/oidc?code=x&state=y')).statusCode).toBe(404)
  expect((await ask(mei, 'POST', '/api/auth/sign-out')).json()).toEqual({ success: true, redirectTo: null })
  const link = (await ask(owner, 'POST', `/api/users/${mei.me.id}/password-reset`)).json()
  const post = (path: string, payload: object) =>
    without.app.inject({ method: 'POST', url: `/api/auth${path}`, payload })
  expect((await post('/password-reset', { code: link.code, new: NEXT })).statusCode).toBe(200)
  expect((await post('/sign-in/username', { username: 'mei', password: NEXT })).statusCode).toBe(200)
})
