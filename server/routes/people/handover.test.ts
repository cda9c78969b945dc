import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Person, startParley } from '../../test/support/parley.ts'

const PATH = '/api/workspace/handover'
const offer = (by: Person, to: { id: string }, password = by.password) => by.post(PATH, { userId: to.id, password })
const answer = (by: Person, accepts: boolean) => by.post(`${PATH}/answer`, { accepts })
const openFor = async (person: Person) => (await person.get(PATH)).body.handover
const start = async () => {
  const parley = await startParley()
  return { parley, ...(await parley.people('ada', 'bob', 'eve')) }
}
type Parley = Awaited<ReturnType<typeof startParley>>
const rolesIn = async ({ app }: Parley) => {
  const rows = await app.db
    .selectFrom('users')
    .select(['username', 'role'])
    .where('email', 'like', '%@example.com')
    .execute()
  return Object.fromEntries(rows.map(({ username, role }) => [username, role]))
}
const kindsIn = async ({ app }: Parley) => {
  const rows = await app.db
    .selectFrom('audit_log')
    .select(['kind', 'actorId', 'personId'])
    .where((it) => it.or([it('kind', 'like', 'handover_%'), it('kind', '=', 'workspace_handed_over')]))
    .orderBy('id')
    .execute()
  return rows.map(({ kind, actorId, personId }) => [kind, actorId, personId])
}

test('the owner offers the workspace with their password, and the other person accepts', async () => {
  const { parley, ada, bob, eve } = await start()
  const [adas, bobs, eves] = [await ada.listen(), await bob.listen(), await eve.listen()]
  expect(await offer(ada, bob, 'not the right one')).toMatchObject({ status: 400 })
  expect(await openFor(bob)).toBeNull()
  const offered = await offer(ada, bob)
  expect(offered.status).toBe(201)
  expect(offered.body).toMatchObject({ from: { id: ada.id }, to: { id: bob.id } })
  await Promise.all([adas.waitFor('handover:changed'), bobs.waitFor('handover:changed')])
  expect(await openFor(bob)).toEqual(offered.body)
  expect(await openFor(ada)).toEqual(offered.body)
  expect(await openFor(eve)).toBeNull()
  const session = async ({ cookie }: Person) =>
    (await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json().user
  expect((await session(bob)).isAskedToOwn).toBe(true)
  expect((await session(eve)).isAskedToOwn).toBe(false)

  expect((await answer(eve, true)).status).toBe(404)
  expect((await answer(ada, true)).status).toBe(404)
  expect((await answer(bob, true)).status).toBe(204)
  await eves.waitFor('user:updated', ({ id }) => id === bob.id)
  expect(await rolesIn(parley)).toMatchObject({ ada: 'admin', bob: 'owner', eve: 'member' })
  const { ownerId } = await parley.app.db.selectFrom('workspace').select('ownerId').executeTakeFirstOrThrow()
  expect(ownerId).toBe(bob.id)
  const { channels } = (await bob.get('/api/channels')).body
  expect(channels.find(({ name }: { name: string }) => name === 'general').ownerId).toBe(bob.id)
  expect(eves.all('handover:changed')).toEqual([])
  expect((await answer(bob, true)).status).toBe(404)
  expect((await offer(ada, eve)).status).toBe(403)
  expect(await kindsIn(parley)).toEqual([
    ['handover_offered', ada.id, bob.id],
    ['workspace_handed_over', bob.id, ada.id],
  ])
})

test('a handover can be declined, withdrawn or expire, and only one is open at a time', async () => {
  const { parley, ada, bob, eve } = await start()
  await offer(ada, bob)
  expect(await offer(ada, eve)).toMatchObject({ status: 409, code: 'handover_open' })
  expect((await answer(bob, false)).status).toBe(204)
  await offer(ada, eve)
  expect((await bob.delete(PATH)).status).toBe(404)
  expect((await ada.delete(PATH)).status).toBe(204)
  expect((await answer(eve, true)).status).toBe(404)
  await offer(ada, bob)
  const past = sql<string>`clock_timestamp() - interval '1 second'`
  await parley.app.db.updateTable('handovers').set({ expiresAt: past }).execute()
  expect(await openFor(bob)).toBeNull()
  expect((await answer(bob, true)).status).toBe(404)
  expect((await offer(ada, eve)).status).toBe(201)
  expect(await rolesIn(parley)).toEqual({ ada: 'owner', bob: 'member', eve: 'member' })
  expect((await kindsIn(parley)).map(([kind]) => kind)).toEqual([
    'handover_offered',
    'handover_declined',
    'handover_offered',
    'handover_withdrawn',
    'handover_offered',
    'handover_offered',
  ])
})

test('only the owner can offer a handover, and only to people who could take over', async () => {
  const { parley, ada, bob, eve } = await start()
  expect((await offer(bob, eve)).status).toBe(403)
  expect((await offer(ada, ada)).status).toBe(403)
  expect((await offer(ada, { id: 'nobody' })).status).toBe(404)
  expect((await offer(ada, { id: 'assistant-bot' })).status).toBe(404)
  await parley.app.db.updateTable('users').set({ role: 'guest' }).where('id', '=', eve.id).execute()
  expect((await offer(ada, eve)).status).toBe(403)
  await offer(ada, bob)
  await ada.put(`/api/users/${bob.id}/deactivation`, {})
  expect(await openFor(ada)).toBeNull()
  expect((await offer(ada, bob)).status).toBe(404)
})

test('an owner without a password confirms with a session that has just begun', async () => {
  const { parley, ada, bob } = await start()
  const { db } = parley.app
  await db.updateTable('accounts').set({ password: null }).where('userId', '=', ada.id).execute()
  const createdAt = sql<string>`clock_timestamp() - interval '11 minutes'`
  await db.updateTable('sessions').set({ createdAt }).where('userId', '=', ada.id).execute()
  expect(await ada.post(PATH, { userId: bob.id })).toMatchObject({ status: 403, code: 'fresh_sign_in_needed' })
  const now = sql<string>`clock_timestamp()`
  await db.updateTable('sessions').set({ createdAt: now }).where('userId', '=', ada.id).execute()
  expect((await ada.post(PATH, { userId: bob.id })).status).toBe(201)
})

test('of concurrent acceptance and withdrawal, one counts', async () => {
  const { parley, ada, bob } = await start()
  await offer(ada, bob)
  const [accepted, withdrawn] = await Promise.all([answer(bob, true), ada.delete(PATH)])
  expect([accepted.status, withdrawn.status].sort()).toEqual([204, 404])
  const { ada: role } = await rolesIn(parley)
  expect(role).toBe(accepted.status === 204 ? 'admin' : 'owner')
})
