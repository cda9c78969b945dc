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

test('an owner who signed in with a provider gets a password by a link once the provider is gone', async () => {
  const link = { userId: ada.id, createdBy: null, source: {} }
  const create = ({ app }: Pick<typeof parley, 'app'>) =>
    app.db.transaction().execute((tx) => createPasswordReset(tx, app.config, link))
  await expect(create(parley)).rejects.toMatchObject({ status: 409, code: 'no_password' })
  const without = await serve(parley.databaseUrl)
  const { code } = await create(without)
  const post = ({ app }: Pick<typeof parley, 'app'>, path: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/auth${path}`, payload })
  // A server that has the provider sets no first password.
  expect((await post(parley, '/password-reset', { code, new: NEXT })).statusCode).toBe(404)
  expect((await post(without, '/password-reset', { code, new: NEXT })).statusCode).toBe(200)
  expect((await post(without, '/sign-in/username', { username: 'ada', password: NEXT })).statusCode).toBe(200)
})
