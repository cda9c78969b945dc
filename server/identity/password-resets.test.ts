import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Person, startParley } from '../test/support/parley.ts'

const parley = await startParley({ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'parley' })
const { ada } = await parley.people('ada')
const NEXT = 'a better battery staple'
let made = 0
const somebody = () => parley.person(`somebody-${made++}`)

const signIn = async ({ email }: Person, password: string) =>
  (
    await parley.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      payload: { email, password },
      headers: { origin: 'http://localhost' },
    })
  ).statusCode
const createLink = (by: Person, { id }: { id: string }) => by.post(`/api/users/${id}/password-reset`, {})
const codeFor = async (person: Person) => (await createLink(ada, person)).body.code as string
const post = async (path: string, payload: object) => {
  const answer = await parley.app.inject({ method: 'POST', url: `/api/auth/password-reset${path}`, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const check = (code: unknown) => post('/check', { code })
const use = (code: unknown, next: unknown = NEXT) => post('', { code, new: next })

test('a link sets a new password once, and ends all sessions', async () => {
  const bob = await somebody()
  const { status, body } = await createLink(ada, bob)
  expect(status).toBe(201)
  expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(23 * 3_600_000)
  expect(await signIn(bob, bob.password)).toBe(200)
  expect(await check(body.code)).toEqual({ status: 200, body: { username: bob.username } })
  expect((await use(body.code, 'short')).body.error.fields).toHaveProperty('new')
  expect(await use(body.code)).toEqual({ status: 200, body: { username: bob.username } })
  expect(await signIn(bob, bob.password)).toBe(401)
  expect(await signIn(bob, NEXT)).toBe(200)
  await expect.poll(async () => (await bob.get('/api/channels')).status).toBe(401)
  for (const again of [await use(body.code, 'yet another one'), await check(body.code)])
    expect(again).toMatchObject({ status: 404, body: { error: { code: 'not_found', reason: 'passwordLinkEnded' } } })
  expect(await signIn(bob, NEXT)).toBe(200)

  const log = await parley.app.db
    .selectFrom('audit_log')
    .select(['kind', 'actorId', 'personId'])
    .where('kind', 'like', 'password_%')
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { kind: 'password_link_created', actorId: ada.id, personId: bob.id },
    { kind: 'password_reset', actorId: bob.id, personId: null },
  ])
  const stored = await parley.app.db.selectFrom('password_resets').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(body.code)
})

test('of two concurrent uses of a link, one sets the password', async () => {
  const bob = await somebody()
  const code = await codeFor(bob)
  const answers = await Promise.all([use(code, 'the first of two'), use(code, 'the second of two')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('links end with a newer link, with time, with a changed password and with the account', async () => {
  const [bob, cyd, dan, fay] = [await somebody(), await somebody(), await somebody(), await somebody()]
  const old = await codeFor(bob)
  const newer = await codeFor(bob)
  expect((await check(old)).status).toBe(404)
  expect((await check(newer)).status).toBe(200)

  const late = await codeFor(cyd)
  await parley.app.db
    .updateTable('password_resets')
    .set({ expiresAt: sql<string>`clock_timestamp() - interval '1 second'` })
    .where('userId', '=', cyd.id)
    .execute()
  expect((await use(late)).status).toBe(404)

  const changed = await codeFor(dan)
  expect((await dan.put('/api/password', { current: dan.password, new: NEXT })).status).toBe(204)
  expect((await use(changed, 'somebody else wrote this')).status).toBe(404)

  const out = await codeFor(fay)
  await ada.put(`/api/users/${fay.id}/deactivation`, {})
  expect((await use(out)).status).toBe(404)
  expect((await createLink(ada, fay)).status).toBe(404)
  await ada.delete(`/api/users/${fay.id}/deactivation`)
  expect((await use(out)).status).toBe(404)
})

test('links do not allow privilege escalation', async () => {
  const [admin, other, member] = [await somebody(), await somebody(), await somebody()]
  for (const person of [admin, other]) await ada.put(`/api/users/${person.id}/role`, { role: 'admin' })
  expect((await createLink(admin, member)).status).toBe(201)
  for (const [by, whom] of [
    [member, other],
    [member, admin],
    [member, member],
    [admin, other],
    [admin, ada],
    [admin, admin],
    [ada, ada],
    [ada, { id: 'assistant-bot' }],
  ] as const)
    expect([by.username, whom.id, (await createLink(by, whom)).status]).toEqual([by.username, whom.id, 403])
  expect((await createLink(ada, other)).status).toBe(201)
  expect((await createLink(ada, { id: 'nobody' })).status).toBe(404)
})

test('people who sign in with the provider have no password to reset', async () => {
  const bob = await somebody()
  await parley.app.db
    .updateTable('accounts')
    .set({ providerId: 'oidc', password: null })
    .where('userId', '=', bob.id)
    .execute()
  expect(await createLink(ada, bob)).toMatchObject({ status: 409, code: 'no_password' })
})

test('unknown codes reveal nothing, and invalid input is reported by field', async () => {
  for (const code of ['', 'x', 'a'.repeat(64), '%00', '../..']) expect((await check(code)).status).toBe(404)
  for (const code of [undefined, 7, 'a'.repeat(65)]) expect((await check(code)).status).toBe(400)
  expect((await use('a'.repeat(22))).status).toBe(404)
  for (const [code, next, field] of [
    [7, NEXT, 'code'],
    ['a'.repeat(65), NEXT, 'code'],
    ['a', 'x'.repeat(129), 'new'],
    ['a', undefined, 'new'],
  ])
    expect((await use(code, next ?? null)).body.error.fields).toHaveProperty(field as string)
})
