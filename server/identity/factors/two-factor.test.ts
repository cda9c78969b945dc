import { expect, test } from 'vitest'
import { appFor } from '../../test/support/authenticator.ts'
import { openCookieClient } from '../../test/support/cookie-client.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada } = await parley.people('ada')
const { db } = parley.app
let made = 0
const somebody = () => parley.person(`somebody-${made++}`)

/** Turns codes on for a person; returns their app and recovery codes. */
async function turnOn(person: Person) {
  const { secret } = (await person.post('/api/two-factor/setup', { password: person.password })).body
  const app = appFor(secret)
  const { status, body } = await person.put('/api/two-factor', { code: await app.totp() })
  expect(status).toBe(200)
  return { app, recoveryCodes: body.recoveryCodes as string[] }
}

/** A browser in which the password was entered. */
async function signIn({ username, password }: Pick<Person, 'username' | 'password'>) {
  const client = openCookieClient()
  const post = async (path: string, body: object) => {
    const answer = await client.post(`${parley.address}/api/auth${path}`, body)
    return { status: answer.status, body: (await answer.json()) as { code?: string } }
  }
  const first = await post('/sign-in/username', { username, password })
  const whoIs = async () => {
    const answer = await client.ask(`${parley.address}/api/auth/get-session`)
    return ((await answer.json()) as { user: { username: string } } | null)?.user.username
  }
  return {
    first,
    whoIs,
    code: (code: string) => post('/two-factor/verify-totp', { code }),
    recoveryCode: (code: string) => post('/two-factor/verify-backup-code', { code }),
  }
}

const linesOf = async ({ id }: Person) => {
  const lines = await db
    .selectFrom('audit_log')
    .select(['kind', 'actorId', 'details'])
    .where((it) => it.or([it('actorId', '=', id), it('personId', '=', id)]))
    .orderBy('id')
    .execute()
  return lines.filter(({ kind }) => kind !== 'person_joined')
}

test('once a first code was entered, each sign-in needs a code after the password', async () => {
  const bob = await somebody()
  expect((await bob.get('/api/two-factor')).body).toEqual({ isOn: false, codesLeft: 0 })
  const { app, recoveryCodes } = await turnOn(bob)
  expect((await bob.get('/api/two-factor')).body).toEqual({ isOn: true, codesLeft: 10 })
  expect(new Set(recoveryCodes).size).toBe(10)

  const browser = await signIn(bob)
  expect(browser.first).toEqual({ status: 200, body: { twoFactorRedirect: true } })
  expect(await browser.whoIs()).toBeUndefined()
  expect(await browser.code('000000')).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } })
  expect(await browser.whoIs()).toBeUndefined()
  const code = await app.totp()
  expect(await browser.code(`${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({
    status: 200,
    body: { user: { username: bob.username } },
  })
  expect(await browser.whoIs()).toBe(bob.username)
  // The password alone signed nobody in.
  expect(await linesOf(bob)).toEqual([
    { kind: 'signed_in', actorId: bob.id, details: { by: 'password' } },
    { kind: 'two_factor_on', actorId: bob.id, details: {} },
    { kind: 'sign_in_refused', actorId: null, details: {} },
    { kind: 'signed_in', actorId: bob.id, details: { by: 'two-factor' } },
  ])
  expect((await bob.get('/api/sessions')).body).toHaveLength(2)
})

test('it is not turned on without a first code, or without the password', async () => {
  const bob = await somebody()
  expect(await bob.post('/api/two-factor/setup', { password: 'not the right one' })).toMatchObject({
    status: 400,
    body: { error: { fields: { password: expect.any(String) } } },
  })
  expect(await bob.put('/api/two-factor', { code: '123456' })).toMatchObject({ status: 409, code: 'two_factor_state' })
  await bob.post('/api/two-factor/setup', { password: bob.password })
  const { uri, secret } = (await bob.post('/api/two-factor/setup', { password: bob.password })).body
  expect(uri).toContain(`secret=${secret}`)
  expect(uri).toContain(bob.username)
  expect(await bob.put('/api/two-factor', { code: '12345' })).toMatchObject({
    status: 400,
    body: { error: { fields: { code: expect.any(String) } } },
  })
  expect((await signIn(bob)).first.body).toHaveProperty('user')
  expect((await bob.get('/api/two-factor')).body.isOn).toBe(false)
  for (const path of ['/removal', '/recovery-codes'])
    expect((await bob.post(`/api/two-factor${path}`, { password: bob.password })).status).toBe(409)
  expect((await bob.put('/api/two-factor', { code: await appFor(secret).totp() })).status).toBe(200)
  expect((await bob.post('/api/two-factor/setup', { password: bob.password })).status).toBe(409)
})

test('a recovery code signs in once, however it is typed', async () => {
  const bob = await somebody()
  const { recoveryCodes } = await turnOn(bob)
  const [first = '', second = ''] = recoveryCodes
  const browser = await signIn(bob)
  expect((await browser.recoveryCode('aaaaa-aaaaa')).body.code).toBe('INVALID_BACKUP_CODE')
  expect((await browser.recoveryCode(` ${first.replace('-', '').toUpperCase()}`)).status).toBe(200)
  expect(await browser.whoIs()).toBe(bob.username)
  expect((await bob.get('/api/two-factor')).body.codesLeft).toBe(9)
  expect((await (await signIn(bob)).recoveryCode(first)).status).toBe(401)
  expect((await linesOf(bob)).at(-2)?.details).toEqual({ by: 'recovery-code' })

  const again = await Promise.all([signIn(bob), signIn(bob)])
  const statuses = await Promise.all(again.map((it) => it.recoveryCode(second).then(({ status }) => status)))
  expect(statuses.filter((it) => it === 200)).toHaveLength(1)

  const renewed = (await bob.post('/api/two-factor/recovery-codes', { password: bob.password })).body.recoveryCodes
  expect((await (await signIn(bob)).recoveryCode(recoveryCodes[2] ?? '')).status).toBe(401)
  expect((await (await signIn(bob)).recoveryCode(renewed[0])).status).toBe(200)
})

test('it is turned off with the password', async () => {
  const bob = await somebody()
  await turnOn(bob)
  expect((await bob.post('/api/two-factor/removal', { password: 'not the right one' })).status).toBe(400)
  expect((await bob.post('/api/two-factor/removal', { password: bob.password })).status).toBe(204)
  expect((await signIn(bob)).first.body).toHaveProperty('user')
  expect((await linesOf(bob)).map(({ kind }) => kind)).toContain('two_factor_off')
  expect(await db.selectFrom('two_factors').select('id').where('userId', '=', bob.id).execute()).toEqual([])
})

test('secrets and recovery codes are encrypted in the database', async () => {
  const bob = await somebody()
  const { secret } = (await bob.post('/api/two-factor/setup', { password: bob.password })).body
  const { recoveryCodes } = (await bob.put('/api/two-factor', { code: await appFor(secret).totp() })).body
  const stored = JSON.stringify(await db.selectFrom('two_factors').selectAll().execute())
  expect(stored).not.toContain(Buffer.from(secret).toString())
  for (const code of recoveryCodes) expect(stored).not.toContain(code)
})

test('five wrong codes end the sign-in, and ten in a row lock the account’s codes for a while', async () => {
  const bob = await somebody()
  const { app } = await turnOn(bob)
  const browser = await signIn(bob)
  for (let tries = 0; tries < 5; tries++) expect((await browser.code('000000')).status).toBe(401)
  expect((await browser.code(await app.totp())).body.code).toBe('TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE')
  const next = await signIn(bob)
  for (let tries = 0; tries < 5; tries++) await next.code('000000')
  expect(await (await signIn(bob)).code(await app.totp())).toMatchObject({
    status: 429,
    body: { code: 'ACCOUNT_TEMPORARILY_LOCKED' },
  })
})

test('a link from an admin removes a lost second factor only if created for that', async () => {
  const bob = await somebody()
  const { app } = await turnOn(bob)
  const people = (await ada.get('/api/workspace/people')).body as { id: string; hasSecondFactor: boolean }[]
  expect(people.find(({ id }) => id === bob.id)?.hasSecondFactor).toBe(true)
  expect(people.find(({ id }) => id === ada.id)?.hasSecondFactor).toBe(false)
  const use = async (input: object, next: string) => {
    const { code } = (await ada.post(`/api/users/${bob.id}/password-reset`, input)).body
    const url = '/api/auth/password-reset'
    const answer = await parley.app.inject({ method: 'POST', url, payload: { code, new: next } })
    expect(answer.statusCode).toBe(200)
    return signIn({ username: bob.username, password: next })
  }
  const waiting = await signIn(bob)
  expect((await use({}, 'a better battery')).first.body).toEqual({ twoFactorRedirect: true })
  // A pending sign-in with the previous password can't continue.
  expect((await waiting.code(await app.totp())).body.code).toBe('INVALID_TWO_FACTOR_COOKIE')
  expect((await use({ endsSecondFactor: true }, 'an even better one')).first.body).toHaveProperty('user')
  const lines = await linesOf(bob)
  expect(lines).toContainEqual({ kind: 'two_factor_removed', actorId: ada.id, details: {} })
  expect(lines).toContainEqual({
    kind: 'password_link_created',
    actorId: ada.id,
    details: { endsSecondFactor: true },
  })
})

test('the library’s own calls for turning it on and off do not exist here', async () => {
  for (const path of ['enable', 'disable', 'get-totp-uri', 'generate-backup-codes', 'send-otp', 'verify-otp']) {
    const url = `/api/auth/two-factor/${path}`
    const answer = await parley.app.inject({ method: 'POST', url, payload: { password: ada.password } })
    expect(answer.statusCode, path).toBe(404)
  }
})

test('a code is useless without a password, or when signed in as somebody else', async () => {
  const [bob, cyd] = [await somebody(), await somebody()]
  const { app } = await turnOn(bob)
  await turnOn(cyd)
  const payload = { code: await app.totp() }
  for (const cookie of ['', bob.cookie, cyd.cookie]) {
    const headers = { cookie, origin: 'http://localhost' }
    const url = '/api/auth/two-factor/verify-totp'
    expect((await parley.app.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(401)
  }
})
