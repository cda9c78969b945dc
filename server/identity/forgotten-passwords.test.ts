import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { startMailServer } from '../test/services/mail-server.ts'
import { type Person, serve, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'

const PUBLIC = 'https://chat.example.com'
const NEXT = 'a better battery staple'
const smtp = await startMailServer()
const SETTINGS = { SMTP_URL: smtp.url(), MAIL_FROM: 'chat@example.com', PUBLIC_URL: PUBLIC }
const parley = await startParley({ ...SETTINGS, OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'parley' })
const { ada } = await parley.people('ada')
let made = 0
const somebody = () => parley.person(`somebody-${made++}`)

const post = async (path: string, payload: object, headers: Record<string, string> = {}) => {
  const answer = await parley.app.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers })
  return { status: answer.statusCode, body: answer.json() }
}
const ask = (email: unknown, headers = {}) => post('password-reset/mail', { email }, headers)
const use = (code: string, next = NEXT) => post('password-reset', { code, new: next })
const signIn = async ({ email }: Person, password: string) =>
  (await post('sign-in/email', { email, password }, { origin: PUBLIC })).status
/** Mails with a link to a new password; a sign-up also sends one to confirm the address. */
const mailsTo = ({ email }: { email: string }) =>
  smtp.received.filter(({ to, text }) => to === email && text.includes('/new-password'))
/** The code of the newest link that was mailed to somebody. */
async function codeFor(person: Person, count = 1) {
  await vi.waitUntil(() => mailsTo(person).length === count, { timeout: STATE_TIMEOUT_MS })
  return /\/new-password#([\w-]+)/.exec(mailsTo(person).at(-1)?.text ?? '')?.[1] ?? ''
}

test('a mail brings a link that sets a new password once, and confirms the address', async () => {
  const bob = await somebody()
  expect(await ask(bob.email.toUpperCase(), { host: 'evil.example.com' })).toEqual({
    status: 202,
    body: { isAccepted: true },
  })
  const code = await codeFor(bob)
  const [mail] = mailsTo(bob)
  expect(mail?.header('Subject')).toBe('Set a new password')
  expect(mail?.text).toContain(`@${bob.username}`)
  expect(mail?.text).toContain(`${PUBLIC}/new-password#${code}`)
  expect(mail?.raw).not.toContain('evil')
  expect(await post('password-reset/check', { code })).toEqual({ status: 200, body: { username: bob.username } })
  expect((await use(code)).status).toBe(200)
  expect(await signIn(bob, NEXT)).toBe(200)
  await expect.poll(async () => (await bob.get('/api/channels')).status).toBe(401)
  expect((await use(code)).status).toBe(404)
  const { emailVerified } = await parley.app.db
    .selectFrom('users')
    .select('emailVerified')
    .where('id', '=', bob.id)
    .executeTakeFirstOrThrow()
  expect(emailVerified).toBe(true)
  const log = await parley.app.db.selectFrom('audit_log').select('kind').where('personId', '=', bob.id).execute()
  expect(log.map(({ kind }) => kind)).toEqual(['password_link_mailed'])
})

test('the answer is the same for unknown addresses, people without a password, and deactivated people', async () => {
  const [hosted, gone, last] = [await somebody(), await somebody(), await somebody()]
  await parley.app.db
    .updateTable('accounts')
    .set({ providerId: 'oidc', password: null })
    .where('userId', '=', hosted.id)
    .execute()
  await ada.put(`/api/users/${gone.id}/deactivation`, {})
  const answers = [
    await ask('nobody@example.com'),
    await ask(hosted.email),
    await ask(gone.email),
    await ask(last.email),
  ]
  expect(new Set(answers.map((it) => JSON.stringify(it))).size).toBe(1)
  // Requests are processed one after the other.
  await codeFor(last)
  expect([...mailsTo(hosted), ...mailsTo(gone), ...mailsTo({ email: 'nobody@example.com' })]).toEqual([])
  // Without the provider they have no other way to sign in.
  const { app } = await serve(parley.databaseUrl, SETTINGS)
  await app.inject({ method: 'POST', url: '/api/auth/password-reset/mail', payload: { email: hosted.email } })
  expect(await codeFor(hosted)).not.toBe('')
})

test('a link ends with a newer link, with time, with a changed password and with the account', async () => {
  const [bob, cyd, dan, fay] = [await somebody(), await somebody(), await somebody(), await somebody()]
  await ask(bob.email)
  const old = await codeFor(bob)
  await ask(bob.email)
  const newer = await codeFor(bob, 2)
  expect((await use(old)).status).toBe(404)
  expect((await use(newer)).status).toBe(200)

  await ask(cyd.email)
  const late = await codeFor(cyd)
  await parley.app.db
    .updateTable('mail_links')
    .set({ expiresAt: sql<string>`clock_timestamp() - interval '1 second'` })
    .where('userId', '=', cyd.id)
    .execute()
  expect((await use(late)).status).toBe(404)

  await ask(dan.email)
  const changed = await codeFor(dan)
  expect((await dan.put('/api/password', { current: dan.password, new: NEXT })).status).toBe(204)
  expect((await use(changed, 'somebody else wrote this')).status).toBe(404)

  await ask(fay.email)
  const left = await codeFor(fay)
  await ada.put(`/api/users/${fay.id}/deactivation`, {})
  await ada.delete(`/api/users/${fay.id}/deactivation`)
  expect((await use(left)).status).toBe(404)
})

test('a link from an admin stays valid, even if somebody requests a mail', async () => {
  const bob = await somebody()
  const { code } = (await ada.post(`/api/users/${bob.id}/password-reset`, {})).body
  await ask(bob.email)
  await codeFor(bob)
  expect((await use(code)).status).toBe(200)
})

test('mail is in the language of the person, or otherwise of the browser', async () => {
  const [bob, cyd] = [await somebody(), await somebody()]
  await bob.patch('/api/users/me', { language: 'de' })
  await ask(bob.email, { 'accept-language': 'fr' })
  await codeFor(bob)
  await ask(cyd.email, { 'accept-language': 'pt, ar-EG;q=0.8' })
  await codeFor(cyd)
  expect(mailsTo(bob)[0]?.text).toContain('Jemand hat einen Link angefordert')
  expect(mailsTo(cyd)[0]?.raw).toContain('dir=3D"rtl"')
})

test('attempts are counted per address, known or not, and per client', async () => {
  const strict = await startParley({ ...SETTINGS, RATE_LIMIT: 'on' })
  const send = (email: string, remoteAddress: string) =>
    strict.app.inject({ method: 'POST', url: '/api/auth/password-reset/mail', payload: { email }, remoteAddress })
  const statuses = async (emails: string[], clients: string[]) => {
    const all: number[] = []
    for (const [i, email] of emails.entries()) all.push((await send(email, clients[i] ?? '10.0.0.1')).statusCode)
    return all
  }
  const same = Array.from({ length: 4 }, () => 'x@example.com')
  expect(await statuses(same, ['10.0.1.1', '10.0.1.2', '10.0.1.3', '10.0.1.4'])).toEqual([202, 202, 202, 429])
  expect((await send('X@example.com ', '10.0.1.5')).json().error).toMatchObject({ reason: 'tooManyAttempts' })
  const many = Array.from({ length: 21 }, (_, i) => `x${i}@example.com`)
  expect((await statuses(many, [])).lastIndexOf(202)).toBe(19)
})

test('invalid input is refused; without a mail server the answer says so', async () => {
  for (const email of [undefined, 7, '', 'x'.repeat(321), 'a\0b']) expect((await ask(email)).status).toBe(400)
  const form = { method: 'POST', url: '/api/auth/password-reset/mail', payload: '{"email":"a@b.c"}' } as const
  expect((await parley.app.inject({ ...form, headers: { 'content-type': 'text/plain' } })).statusCode).toBe(400)
  const ways = async ({ app }: typeof parley) => (await app.inject('/api/auth/ways')).json().sendsMail
  expect(await ways(parley)).toBe(true)
  const silent = await startParley()
  expect(await ways(silent as typeof parley)).toBe(false)
  const answer = await silent.app.inject({ ...form, payload: { email: 'a@b.c' } })
  expect([answer.statusCode, answer.json().error.reason]).toEqual([404, 'noMail'])
})
