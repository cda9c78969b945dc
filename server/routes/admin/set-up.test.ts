import { expect, test } from 'vitest'
import { type Person, serve, startParley } from '../../test/support/parley.ts'

const sessionOf = async ({ app }: Pick<Awaited<ReturnType<typeof startParley>>, 'app'>, { cookie }: Person) =>
  (await app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json().user

/** Its owner has not completed the first screen. */
async function startNew(settings: Record<string, string> = {}) {
  const parley = await startParley(settings)
  const { ada, bob } = await parley.people('ada', 'bob')
  await ada.put(`/api/users/${bob.id}/role`, { role: 'admin' })
  await parley.app.db.updateTable('workspace').set({ isSetUp: false }).execute()
  return { ...parley, ada, bob }
}

const setUp = (by: Person, body: object) => by.post('/api/workspace/set-up', body)

test('the owner completes the first screen once; nobody else sees or completes it', async () => {
  const parley = await startNew()
  const { ada, bob } = parley
  expect(await sessionOf(parley, ada)).toMatchObject({ needsSetUp: true })
  expect(await sessionOf(parley, bob)).toMatchObject({ needsSetUp: false })
  expect((await setUp(bob, { name: 'Mine' })).status).toBe(403)
  const eve = await parley.app.inject({ method: 'POST', url: '/api/workspace/set-up', payload: { name: 'Mine' } })
  expect(eve.statusCode).toBe(401)
  expect((await setUp(ada, { name: ' Acme ', signUp: 'closed' })).status).toBe(204)
  expect(await sessionOf(parley, ada)).toMatchObject({ needsSetUp: false, workspaceName: 'Acme' })
  const chosen = { signUp: 'closed', isFixed: false }
  expect((await ada.get('/api/workspace/sign-up')).body).toEqual(chosen)
  // Another tab, which still shows it.
  expect((await setUp(ada, { name: 'Old', signUp: 'open' })).status).toBe(204)
  expect(await sessionOf(parley, ada)).toMatchObject({ workspaceName: 'Acme' })
  expect((await ada.get('/api/workspace/sign-up')).body).toEqual(chosen)
})

const unchanged = startNew()

test.each([{ name: '' }, { name: 'x'.repeat(81) }, { signUp: 'everybody' }, { signUp: null }, { name: 7 }])(
  'the choices %j are refused, and nothing is saved',
  async (body) => {
    const parley = await unchanged
    const { ada } = parley
    expect(await setUp(ada, { name: 'Acme', signUp: 'closed', ...body })).toMatchObject({
      status: 400,
      code: 'invalid',
    })
    expect(await sessionOf(parley, ada)).toMatchObject({ needsSetUp: true, workspaceName: 'Parley' })
    expect((await ada.get('/api/workspace/sign-up')).body).toEqual({ signUp: 'invite', isFixed: false })
  },
)

test('who may sign up is decided by the owner and admins, on every node, and recorded once', async () => {
  const parley = await startParley()
  const { ada, bob, cyd } = await parley.people('ada', 'bob', 'cyd')
  const node = await serve(parley.databaseUrl)
  await ada.put(`/api/users/${bob.id}/role`, { role: 'admin' })
  const set = (by: Person, signUp: string) => by.put('/api/workspace/sign-up', { signUp })
  expect([(await set(cyd, 'closed')).status, (await cyd.get('/api/workspace/sign-up')).status]).toEqual([403, 403])
  expect(await set(ada, 'everybody')).toMatchObject({ status: 400 })
  expect((await set(bob, 'invite')).body).toEqual({ signUp: 'invite', isFixed: false })
  await set(bob, 'invite')

  const payload = { name: 'Eve', username: 'eve', email: 'eve@example.com', password: 'correct horse' }
  const eve = (invite?: string) =>
    node.app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload: { ...payload, invite } })
  expect((await eve()).json().code).toBe('INVITE_NEEDED')
  expect((await node.app.inject('/api/auth/ways')).json()).toMatchObject({ signUp: 'invite' })
  const { code } = (await bob.post('/api/invites', { days: 1, maxUses: 1 })).body
  await set(ada, 'closed')
  expect((await eve(code)).json().code).toBe('SIGN_UP_CLOSED')
  await set(ada, 'invite')
  expect((await eve(code)).statusCode).toBe(200)

  const { entries } = (await ada.get('/api/audit?kind=sign_up_changed')).body
  expect(entries.map(({ actor, details }: { actor: { id: string }; details: object }) => [actor.id, details])).toEqual([
    [ada.id, { from: 'closed', to: 'invite' }],
    [ada.id, { from: 'invite', to: 'closed' }],
    [bob.id, { from: 'open', to: 'invite' }],
  ])
})

test('SIGNUP decides for everybody: choices are refused, and nothing else of them is saved', async () => {
  const parley = await startNew({ SIGNUP: 'open' })
  const { ada } = parley
  expect((await ada.get('/api/workspace/sign-up')).body).toEqual({ signUp: 'open', isFixed: true })
  const refused = { status: 409, code: 'sign_up_fixed' }
  expect(await ada.put('/api/workspace/sign-up', { signUp: 'closed' })).toMatchObject(refused)
  expect(await setUp(ada, { name: 'Acme', signUp: 'closed' })).toMatchObject(refused)
  expect(await sessionOf(parley, ada)).toMatchObject({ needsSetUp: true, workspaceName: 'Parley' })
  expect((await setUp(ada, { name: 'Acme' })).status).toBe(204)
  expect(await sessionOf(parley, ada)).toMatchObject({ needsSetUp: false, workspaceName: 'Acme' })
})
