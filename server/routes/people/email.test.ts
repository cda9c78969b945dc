import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startMailServer } from '../../test/services/mail-server.ts'
import { type Person, startParley } from '../../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const smtp = await startMailServer()
const MAIL = { SMTP_URL: smtp.url(), MAIL_FROM: 'chat@example.com', PUBLIC_URL: 'https://chat.example.com' }
const parley = await startParley(MAIL)
const { app } = parley
await parley.people('ada')
let made = 0
const somebody = () => parley.person(`somebody-${made++}`)

const mailsTo = (email: string, subject: string) =>
  smtp.received.filter((it) => it.to === email && it.header('Subject') === subject)
async function codeFrom(email: string, subject: string, count = 1) {
  await vi.waitUntil(() => mailsTo(email, subject).length === count, { timeout: STATE_TIMEOUT_MS })
  return /\/confirm-email#([\w-]+)/.exec(mailsTo(email, subject).at(-1)?.text ?? '')?.[1] ?? ''
}
const CONFIRM = 'Confirm your email address'
const CHANGE = 'Confirm your new email address'
const NOTICE = 'Your email address is about to change'
const post = async (path: string, code: string) => {
  const answer = await app.inject({ method: 'POST', url: `/api/auth/email/${path}`, payload: { code } })
  return { status: answer.statusCode, body: answer.json() }
}
const confirm = (code: string) => post('confirm', code)
const change = (person: Person, email: string, password = person.password) =>
  person.put('/api/email', { email, password })
const mine = async (person: Person) => (await person.get('/api/email')).body
const session = async ({ cookie }: Person) =>
  (await app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json().user

test('new users confirm their address by a link, once', async () => {
  const bob = await somebody()
  const code = await codeFrom(bob.email, CONFIRM)
  expect(await mine(bob)).toEqual({
    email: bob.email,
    isConfirmed: false,
    pending: null,
    sendsMail: true,
    isMine: true,
  })
  expect((await session(bob)).emailVerified).toBe(false)
  const link = { username: bob.username, email: bob.email, isNew: false }
  expect(await post('check', code)).toEqual({ status: 200, body: link })
  expect(await confirm(code)).toEqual({ status: 200, body: link })
  expect(await mine(bob)).toMatchObject({ isConfirmed: true })
  expect((await session(bob)).emailVerified).toBe(true)
  for (const again of [await confirm(code), await post('check', code)])
    expect(again).toMatchObject({ status: 404, body: { error: { reason: 'mailLinkEnded' } } })
  expect((await bob.post('/api/email/confirmation')).status).toBe(200)
  expect(mailsTo(bob.email, CONFIRM)).toHaveLength(1)
})

test('a link can be mailed again, which ends the earlier one', async () => {
  const bob = await somebody()
  const first = await codeFrom(bob.email, CONFIRM)
  expect((await bob.post('/api/email/confirmation')).status).toBe(200)
  const second = await codeFrom(bob.email, CONFIRM, 2)
  expect((await confirm(first)).status).toBe(404)
  expect((await confirm(second)).status).toBe(200)
})

test('changing an address needs the password and the link, and notifies the old address', async () => {
  const bob = await somebody()
  expect((await change(bob, 'New.Bob@example.com', 'not the right one')).body.error.fields).toHaveProperty('password')
  expect((await change(bob, bob.email)).body.error.fields).toHaveProperty('email')
  expect(await change(bob, 'New.Bob@example.com')).toMatchObject({
    status: 200,
    body: { email: bob.email, isConfirmed: false, pending: { email: 'new.bob@example.com' } },
  })
  const code = await codeFrom('new.bob@example.com', CHANGE)
  await vi.waitUntil(() => mailsTo(bob.email, NOTICE).length === 1, { timeout: STATE_TIMEOUT_MS })
  expect(mailsTo(bob.email, NOTICE)[0]?.text).toContain('new.bob@example.com')
  expect((await confirm(code)).body).toEqual({ username: bob.username, email: 'new.bob@example.com', isNew: true })
  expect(await mine(bob)).toMatchObject({ email: 'new.bob@example.com', isConfirmed: true, pending: null })
  const signIn = (email: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      payload: { email, password: bob.password },
      headers: { origin: MAIL.PUBLIC_URL },
    })
  expect((await signIn('new.bob@example.com')).statusCode).toBe(200)
  expect((await signIn(bob.email)).statusCode).toBe(401)
  const log = app.db.selectFrom('audit_log').select('kind').where('actorId', '=', bob.id)
  expect((await log.execute()).map(({ kind }) => kind)).toContain('email_changed')
  // The link to confirm the old address has ended.
  expect((await confirm(await codeFrom(bob.email, CONFIRM))).status).toBe(404)
})

test('a pending address can be cancelled, requested again, and expires', async () => {
  const bob = await somebody()
  await change(bob, 'first@example.com')
  const first = await codeFrom('first@example.com', CHANGE)
  await bob.post('/api/email/confirmation')
  const second = await codeFrom('first@example.com', CHANGE, 2)
  expect((await confirm(first)).status).toBe(404)
  expect((await bob.delete('/api/email/pending')).status).toBe(204)
  expect((await confirm(second)).status).toBe(404)
  expect(await mine(bob)).toMatchObject({ email: bob.email, pending: null })
  await change(bob, 'late@example.com')
  const late = await codeFrom('late@example.com', CHANGE)
  await app.db
    .updateTable('mail_links')
    .set({ expiresAt: sql<string>`clock_timestamp() - interval '1 second'` })
    .where('email', '=', 'late@example.com')
    .execute()
  expect((await confirm(late)).status).toBe(404)
  expect(await mine(bob)).toMatchObject({ pending: null })
})

test('only the owner of a taken address learns that it is taken', async () => {
  const [bob, eve] = [await somebody(), await somebody()]
  const strange = await change(eve, 'nobody-has@example.com')
  const taken = await change(eve, bob.email)
  expect({ ...taken.body, pending: { ...taken.body.pending, email: '', expiresAt: '' } }).toEqual({
    ...strange.body,
    pending: { ...strange.body.pending, email: '', expiresAt: '' },
  })
  expect(taken.body.pending.email).toBe(bob.email)
  await vi.waitUntil(() => mailsTo(bob.email, CHANGE).length === 1, { timeout: STATE_TIMEOUT_MS })
  expect(mailsTo(bob.email, CHANGE)[0]?.text).not.toContain('/confirm-email')
  expect(mailsTo(bob.email, CHANGE)[0]?.text).toContain(`@${eve.username}`)

  // Of two people who want the same address, one gets it.
  const [cyd, dan] = [await somebody(), await somebody()]
  await change(cyd, 'wanted@example.com')
  const first = await codeFrom('wanted@example.com', CHANGE)
  await change(dan, 'wanted@example.com')
  const second = await codeFrom('wanted@example.com', CHANGE, 2)
  const answers = await Promise.all([confirm(first), confirm(second)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('an address from the provider cannot be changed, nor any without a mail server', async () => {
  const bob = await somebody()
  await app.db
    .updateTable('accounts')
    .set({ providerId: 'oidc', password: null })
    .where('userId', '=', bob.id)
    .execute()
  expect(await change(bob, 'other@example.com')).toMatchObject({ status: 409, code: 'no_password' })
  expect(await mine(bob)).toMatchObject({ isMine: false })
  const silent = await startParley()
  const uma = await silent.person('uma')
  expect((await uma.get('/api/email')).body).toMatchObject({ isConfirmed: false, sendsMail: false })
  for (const refused of [await change(uma, 'b@example.com'), await uma.post('/api/email/confirmation')])
    expect(refused).toMatchObject({ status: 404, body: { error: { reason: 'noMail' } } })
})

test('unknown codes reveal nothing; mails and passwords are rate limited', async () => {
  for (const code of ['', 'x', 'a'.repeat(64)]) expect((await confirm(code)).status).toBe(404)
  expect((await post('check', 'a'.repeat(65))).status).toBe(400)
  const strict = await startParley({ ...MAIL, RATE_LIMIT: 'on' })
  const olga = await strict.person('olga')
  const statuses = new Set<number>()
  for (let i = 0; i < 11; i++) statuses.add((await olga.post('/api/email/confirmation')).status)
  expect([...statuses]).toEqual([200, 429])
})
