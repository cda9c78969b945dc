import { expect, test } from 'vitest'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
// Ada came first, so she owns the workspace.
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

const setRole = (by: Person, { id }: { id: string }, role: string) => by.put(`/api/users/${id}/role`, { role })
const roleOf = async ({ id }: Person) =>
  (await ada.get('/api/workspace/people')).body.find((it: { id: string }) => it.id === id).role

test('only the owner makes admins and members', async () => {
  expect(await setRole(bob, bob, 'admin')).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await setRole(ada, { id: 'nobody' }, 'admin')).toMatchObject({ status: 404, code: 'not_found' })
  for (const role of ['owner', 'guest', '', 7]) expect((await setRole(ada, bob, role as string)).status).toBe(400)
  expect((await bob.get('/api/audit')).status).toBe(403)

  const bobs = await bob.listen()
  expect((await setRole(ada, bob, 'admin')).status).toBe(204)
  // His pages refetch his role.
  await bobs.waitFor('user:updated', ({ id }) => id === bob.id)
  expect(await roleOf(bob)).toBe('admin')
  expect((await bob.get('/api/audit')).status).toBe(200)

  expect((await setRole(bob, eve, 'admin')).status).toBe(403)
  expect((await setRole(bob, ada, 'member')).status).toBe(403)
  expect((await setRole(ada, ada, 'member')).status).toBe(403)
  expect((await setRole(ada, { id: 'assistant-bot' }, 'admin')).status).toBe(403)
  expect((await setRole(ada, bob, 'member')).status).toBe(204)
  expect((await bob.get('/api/audit')).status).toBe(403)

  const lines = (await ada.get('/api/audit?kind=role_changed')).body.entries as {
    actor: Person | null
    person: Person
    details: object
  }[]
  // The founder's role is not logged.
  expect(lines.slice(0, 2).map(({ actor, person, details }) => [actor?.id, person.id, details])).toEqual([
    [ada.id, bob.id, { from: 'admin', to: 'member' }],
    [ada.id, bob.id, { from: 'member', to: 'admin' }],
  ])
})

test('the links of a former admin end', async () => {
  await setRole(ada, bob, 'admin')
  const invite = (await bob.post('/api/invites', {})).body.code
  const reset = (await bob.post(`/api/users/${eve.id}/password-reset`, {})).body.code
  const statuses = async () => {
    const checked = [
      await parley.app.inject({ url: `/api/auth/invite?code=${invite}` }),
      await parley.app.inject({ method: 'POST', url: '/api/auth/password-reset/check', payload: { code: reset } }),
    ]
    return checked.map(({ statusCode }) => statusCode)
  }
  expect(await statuses()).toEqual([200, 200])
  await setRole(ada, bob, 'member')
  expect(await statuses()).toEqual([404, 404])
})

test('the first owner’s role is not published as a change', async () => {
  const { changedBy } = await parley.app.db
    .selectFrom('users')
    .select('changedBy')
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  expect(changedBy).toBeNull()
})
