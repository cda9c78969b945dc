import pg from 'pg'
import { expect, test } from 'vitest'
import { type Person, serve, startParley } from '../test/support/parley.ts'
import { replacePassword } from './passwords.ts'
import { countPasswordAttempt } from './sign-in-guard.ts'

const parley = await startParley()
const NEXT = 'a better battery staple'

const signIn = ({ email }: Person, password: string) =>
  parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email, password },
    headers: { origin: 'http://localhost' },
  })
const tokenOf = async (answer: Awaited<ReturnType<typeof signIn>>) => {
  const cookie = answer.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  return (await parley.app.inject({ url: '/api/auth/token', headers: { cookie } })).json().token as string
}
const statusOf = async (token: string) =>
  (await parley.app.inject({ url: '/api/channels', headers: { authorization: `Bearer ${token}` } })).statusCode
const change = (person: Person, current: string, next: string) => person.put('/api/password', { current, new: next })

/** Resolves when a connection is waiting for another one's lock. */
async function oneWaits() {
  const waiting = async () => {
    const { rows } = await parley.app.pool.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].n
  }
  await expect.poll(waiting).toBe(1)
}

test('a changed password replaces the old one, and ends all other sessions', async () => {
  const ada = await parley.person('ada')
  const phone = await tokenOf(await signIn(ada, ada.password))
  expect((await ada.get('/api/password')).body).toEqual({ isSet: true })
  expect((await change(ada, ada.password, NEXT)).status).toBe(204)
  expect((await signIn(ada, ada.password)).statusCode).toBe(401)
  expect((await signIn(ada, NEXT)).statusCode).toBe(200)
  await expect.poll(() => statusOf(phone)).toBe(401)
  expect(await statusOf(ada.token)).toBe(200)
  const log = await parley.app.db
    .selectFrom('audit_log')
    .select(['actorId', 'address'])
    .where('kind', '=', 'password_changed')
    .execute()
  expect(log).toEqual([{ actorId: ada.id, address: '127.0.0.1' }])
})

test('other sessions can be kept, but an invalid choice changes nothing', async () => {
  const max = await parley.person('max')
  const phone = await tokenOf(await signIn(max, max.password))
  const body = { current: max.password, new: NEXT }
  expect((await max.put('/api/password', { ...body, endsOtherSessions: 'no' })).status).toBe(400)
  expect((await max.put('/api/password', { ...body, endsOtherSessions: false })).status).toBe(204)
  expect((await signIn(max, max.password)).statusCode).toBe(401)
  const sessions = () => parley.app.db.selectFrom('sessions').select('id').where('userId', '=', max.id).execute()
  expect(await sessions()).toHaveLength(2)
  expect(await statusOf(phone)).toBe(200)
})

test('a wrong or invalid password changes nothing, and the error names the field', async () => {
  const bob = await parley.person('bob')
  const phone = await tokenOf(await signIn(bob, bob.password))
  for (const [current, next, field] of [
    ['not the right one', NEXT, 'current'],
    ['', NEXT, 'current'],
    [bob.password, 'short', 'new'],
    [bob.password, 'x'.repeat(129), 'new'],
    ['x'.repeat(129), NEXT, 'current'],
  ] as const) {
    const { status, body } = await change(bob, current, next)
    expect([status, body.error.code, Object.keys(body.error.fields)]).toEqual([400, 'invalid', [field]])
  }
  expect((await bob.put('/api/password', { current: bob.password })).status).toBe(400)
  expect((await signIn(bob, bob.password)).statusCode).toBe(200)
  expect(await statusOf(phone)).toBe(200)
})

test('a password is used exactly as typed', async () => {
  const cyd = await parley.person('cyd')
  const typed = '  Ünïcode\u0301 \u{1f511}\t'
  expect((await change(cyd, cyd.password, typed)).status).toBe(204)
  expect((await signIn(cyd, typed.trim())).statusCode).toBe(401)
  expect((await signIn(cyd, typed)).statusCode).toBe(200)
})

test('people who sign in with a provider have no password to change', async () => {
  const dan = await parley.person('dan')
  await parley.app.db
    .updateTable('accounts')
    .set({ providerId: 'oidc', password: null })
    .where('userId', '=', dan.id)
    .execute()
  expect((await dan.get('/api/password')).body).toEqual({ isSet: false })
  expect(await change(dan, dan.password, NEXT)).toMatchObject({ status: 409, body: { error: { code: 'no_password' } } })
})

test('of two concurrent changes one is refused', async () => {
  const fay = await parley.person('fay')
  const answers = await Promise.all([
    change(fay, fay.password, 'the first of two'),
    change(fay, fay.password, 'the second of two'),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
})

test('a sign-in with the old password that started before the change gets no session', async () => {
  const gus = await parley.person('gus')
  const client = new pg.Client(parley.databaseUrl)
  await client.connect()
  // Sessions reference their user, so the sign-in waits for this lock after it has checked the password.
  await client.query('begin')
  await client.query('select from users where id = $1 for update', [gus.id])
  const late = signIn(gus, gus.password)
  await oneWaits()
  expect((await change(gus, gus.password, NEXT)).status).toBe(204)
  await client.query('commit')
  await client.end()
  expect((await late).statusCode).toBe(401)
  const sessions = await parley.app.db.selectFrom('sessions').select('id').where('userId', '=', gus.id).execute()
  expect(sessions).toHaveLength(1)
})

test('a session that ends while the password is checked changes nothing', async () => {
  const ivy = await parley.person('ivy')
  const { db } = parley.app
  const source = { address: '127.0.0.1' }
  const { id } = await db.selectFrom('sessions').select('id').where('userId', '=', ivy.id).executeTakeFirstOrThrow()
  const change = { userId: ivy.id, sessionId: id, current: ivy.password, next: NEXT, endsOtherSessions: true, source }
  const changing = await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('sessions').where('id', '=', id).execute()
    // Until the end is committed, others still see the session.
    const result = Promise.allSettled([replacePassword(db, change)])
    await oneWaits()
    return { result }
  })
  expect(await changing.result).toMatchObject([{ status: 'rejected', reason: { code: 'unauthenticated' } }])
  expect((await signIn(ivy, ivy.password)).statusCode).toBe(200)
})

test('attempts are counted together with sign-ins', async () => {
  const { app } = await serve(parley.databaseUrl, { RATE_LIMIT: 'on' })
  const hal = await parley.person('hal')
  const guess = async () => {
    const answer = await app.inject({
      method: 'PUT',
      url: '/api/password',
      payload: { current: 'a guess', new: NEXT },
      headers: { authorization: `Bearer ${hal.token}` },
    })
    return answer.statusCode
  }
  expect(await guess()).toBe(400)
  for (let n = 0; n < 29; n++) await countPasswordAttempt(parley.app.db, hal.id)
  expect(await guess()).toBe(429)
})

test('a sign-in with the old password that started before a change that keeps sessions gets no session', async () => {
  const gil = await parley.person('gil')
  const client = new pg.Client(parley.databaseUrl)
  await client.connect()
  await client.query('begin')
  await client.query('select from users where id = $1 for update', [gil.id])
  const late = signIn(gil, gil.password)
  await oneWaits()
  expect((await gil.put('/api/password', { current: gil.password, new: NEXT, endsOtherSessions: false })).status).toBe(
    204,
  )
  await client.query('commit')
  await client.end()
  expect((await late).statusCode).toBe(401)
  const sessions = await parley.app.db.selectFrom('sessions').select('id').where('userId', '=', gil.id).execute()
  expect(sessions).toHaveLength(1)
})
