import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { beforeEach, expect, it, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { newId } from '../db/ids.ts'
import { REFUSED, startMailServer } from '../test/services/mail-server.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { serve, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { enqueueMail, type MailContent } from './enqueue-mail.ts'
import { openTransport } from './transport.ts'

type App = Awaited<ReturnType<typeof startParley>>['app']

const FROM = { MAIL_FROM: 'Parley <chat@example.com>', PUBLIC_URL: 'https://chat.example.com' }
const CONTENT: MailContent = {
  subject: 'Confirm your address',
  paragraphs: ['Hello <b>Ada</b>', 'Second'],
  action: { label: 'Confirm', url: 'https://chat.example.com/confirm?a=1&b=2' },
  language: 'en',
  direction: 'ltr',
}
const enqueue = ({ db, config }: App, to: string, userId: string | null = null, content = CONTENT) =>
  db.transaction().execute((tx) => enqueueMail(tx, config, { to, userId, content }))
const rows = ({ db }: App) => db.selectFrom('mails').selectAll().orderBy('to').execute()
const until = (isTrue: () => Promise<boolean> | boolean) =>
  vi.waitUntil(isTrue, { timeout: STATE_TIMEOUT_MS, interval: 20 })
/** Skips the wait before the next attempt. */
const makeDue = ({ db }: App) => db.updateTable('mails').set({ dueAt: sql<string>`clock_timestamp()` }).execute()

const METRICS_TOKEN = 'a-token-that-only-the-tests-have'
const smtp = await startMailServer()
const parley = await startParley({ SMTP_URL: smtp.url(), ...FROM, METRICS_TOKEN })
const { app } = parley

beforeEach(async () => {
  await app.db.deleteFrom('mails').execute()
  smtp.received.length = 0
  smtp.hold(async () => {})
})

it('a mail is delivered once, as text and HTML, and leaves the queue', async () => {
  const second = await serve(parley.databaseUrl, { SMTP_URL: smtp.url(), ...FROM })
  for (let index = 0; index < 6; index++) expect(await enqueue(second.app, `ada${index}@example.com`)).toBe(true)
  await until(async () => (await rows(parley.app)).length === 0)
  expect(smtp.received.map(({ to }) => to).sort()).toEqual([0, 1, 2, 3, 4, 5].map((n) => `ada${n}@example.com`))
  const [mail] = smtp.received
  expect(mail?.header('From')).toBe('Parley <chat@example.com>')
  expect(mail?.header('Subject')).toBe('Confirm your address')
  expect(mail?.header('Content-Type')).toContain('multipart/alternative')
  expect(mail?.raw).toContain('Hello <b>Ada</b>')
  expect(mail?.raw).toContain('Hello &lt;b&gt;Ada&lt;/b&gt;')
  await second.app.close()
})

it('a rolled back transaction sends nothing, and nothing is stored without SMTP_URL', async () => {
  const undone = app.db.transaction().execute(async (tx) => {
    await enqueueMail(tx, app.config, { to: 'eve@example.com', userId: null, content: CONTENT })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await enqueue(app, 'ada@example.com')
  await until(() => smtp.received.length > 0)
  expect(smtp.received.map(({ to }) => to)).toEqual(['ada@example.com'])

  const silent = await startParley()
  expect(await enqueue(silent.app, 'ada@example.com')).toBe(false)
  expect(await rows(silent.app)).toEqual([])
})

it('neither an address nor a subject can inject a header or a recipient', async () => {
  for (const to of ['a@example.com\r\nBcc: eve@example.com', 'a@example.com,eve@example.com', 'A <a@example.com>', ''])
    expect(await enqueue(app, to), to).toBe(false)
  const subject = 'Hello\r\nBcc: eve@example.com\r\n\r\nbody'
  const unsubscribeUrl = 'https://chat.example.com/stop>\r\nBcc: eve@example.com'
  await enqueue(app, 'ada@example.com', null, { ...CONTENT, subject, unsubscribeUrl })
  await until(() => smtp.received.length > 0)
  expect(smtp.received.map(({ to }) => to)).toEqual(['ada@example.com'])
  expect(smtp.received[0]?.header('Bcc')).toBeUndefined()
  expect(smtp.received[0]?.header('Subject')).toBe('Hello Bcc: eve@example.com body')
})

it('a name that looks like an encoded word is not decoded', async () => {
  const { mail } = readConfig({ SMTP_URL: smtp.url(), ...FROM, MAIL_FROM: 'chat@example.com' })
  if (!mail) throw new Error('There is no mail server')
  const sender = '=?utf-8?Q?x?='
  const content = { ...CONTENT, subject: `Welcome to ${sender}` }
  await openTransport(mail)({ id: newId(), to: 'ada@example.com', content, sender })
  const decoded = (header: string) =>
    smtp.received[0]
      ?.header(header)
      ?.replace(/=\?UTF-8\?Q\?(.*?)\?=( (?==\?))?/g, (_, text: string) =>
        decodeURIComponent(text.replaceAll('=', '%').replaceAll('_', ' ')),
      )
      .replaceAll('\u2060', '')
  for (const header of ['From', 'Subject']) expect(smtp.received[0]?.header(header)).not.toContain(sender)
  expect(decoded('From')).toBe(`${sender} <chat@example.com>`)
  expect(decoded('Subject')).toBe(content.subject)
})

it('a mail waits while the server is down, and is delivered once it is back', async () => {
  await smtp.stop()
  await enqueue(app, 'ada@example.com')
  await until(async () => (await rows(app))[0]?.error != null)
  expect((await rows(app))[0]).toMatchObject({ attempts: 1, failedAt: null })
  await smtp.start()
  await makeDue(app)
  await until(async () => (await rows(app)).length === 0)
  expect(smtp.received).toHaveLength(1)
})

it('mail to a rejected recipient fails immediately and is counted; other mail is still delivered', async () => {
  await enqueue(app, REFUSED)
  await enqueue(app, 'ada@example.com')
  await until(async () => smtp.received.length === 1 && (await rows(app)).length === 1)
  expect((await rows(app))[0]).toMatchObject({ to: REFUSED, attempts: 1, failedAt: expect.any(String) })
  expect((await rows(app))[0]?.error).toContain('No such mailbox')
  const { body } = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  expect(body).toContain('parley_mails{state="failed"} 1')
  expect(body).toContain('parley_mails{state="waiting"} 0')
})

it('a mail whose node died before recording the delivery is sent again under the same Message-ID', async () => {
  // As a dead node leaves it: claimed, with an expired claim.
  smtp.hold(async () => {
    smtp.hold(async () => {})
    await app.db
      .updateTable('mails')
      .set({ attempts: sql<number>`attempts + 1`, dueAt: sql<string>`clock_timestamp()` })
      .execute()
  })
  await enqueue(app, 'ada@example.com')
  await until(async () => (await rows(app)).length === 0)
  expect(smtp.received).toHaveLength(2)
  expect(new Set(smtp.received.map((mail) => mail.header('Message-ID'))).size).toBe(1)
})

it('deactivated people get no mail', async () => {
  const { ada, eve } = await parley.people('ada', 'eve')
  await app.db.transaction().execute(async (tx) => {
    await enqueueMail(tx, app.config, { to: eve.email, userId: eve.id, content: CONTENT })
    await tx
      .updateTable('users')
      .set({ deactivatedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', eve.id)
      .execute()
  })
  await enqueue(app, ada.email, ada.id)
  await until(async () => (await rows(app)).length === 0)
  const received = smtp.received.filter((it) => it.header('Subject') === CONTENT.subject)
  expect(received.map(({ to }) => to)).toEqual([ada.email])
})

it('Parley authenticates if the server requires it; with a wrong password the mail stays queued', async () => {
  const smtp = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'p@ss' ? done(null, { user: username }) : done(new Error('Wrong password')),
  })
  const wrong = await startParley({ SMTP_URL: smtp.url('parley:wrong@'), ...FROM })
  await enqueue(wrong.app, 'ada@example.com')
  await until(async () => (await rows(wrong.app))[0]?.error != null)
  expect((await rows(wrong.app))[0]?.failedAt).toBeNull()
  const { app } = await startParley({ SMTP_URL: smtp.url('parley:p%40ss@'), ...FROM })
  await enqueue(app, 'bob@example.com')
  await until(() => smtp.received.length > 0)
  expect(smtp.received).toMatchObject([{ to: 'bob@example.com', user: 'parley' }])
})

it.each([
  ['STARTTLS', { secure: false, disabledCommands: ['AUTH'] }],
  ['TLS', { secure: true, disabledCommands: ['AUTH'] }],
] as const)('a server with an untrusted certificate gets no mail, by %s', async (_name, options) => {
  const smtp = await startMailServer({ ...options, disabledCommands: [...options.disabledCommands] })
  const { app } = await startParley({ SMTP_URL: options.secure ? smtp.secureUrl : smtp.url(), ...FROM })
  await enqueue(app, 'ada@example.com')
  await until(async () => (await rows(app))[0]?.error != null)
  expect((await rows(app))[0]?.error).toMatch(/certificate/i)
  expect(smtp.received).toEqual([])
})

it('SMTP_URL and MAIL_FROM are checked at the start, and a password is not shown', () => {
  expect(() => readConfig({ SMTP_URL: 'http://u:hunter2@x', ...FROM })).toThrow(
    /^SMTP_URL must be .*the value is not shown/,
  )
  expect(() => readConfig({ SMTP_URL: 'smtp://mail.example.com' })).toThrow(/^MAIL_FROM is required/)
  expect(() => readConfig(FROM)).toThrow(/^SMTP_URL is required/)
  // Otherwise the host of a request would determine where a link leads.
  expect(() => readConfig({ SMTP_URL: 'smtp://x', MAIL_FROM: 'a@b.c' })).toThrow(/^PUBLIC_URL is required/)
  expect(() => readConfig({ SMTP_URL: 'smtp://x', MAIL_FROM: 'a@b.c\nBcc: eve@example.com' })).toThrow(
    /^MAIL_FROM must/,
  )
  const { mail } = readConfig({ ...FROM, SMTP_URL: 'smtps://u:p%40ss@mail.example.com', MAIL_FROM: 'chat@example.com' })
  expect(mail).toEqual({
    host: 'mail.example.com',
    port: 465,
    isSecure: true,
    auth: { user: 'u', pass: 'p@ss' },
    from: { name: '', address: 'chat@example.com' },
    publicUrl: 'https://chat.example.com',
  })
})

it('sending to a server that trickles responses times out before the claim expires', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const drip = setInterval(() => socket.write('220-one moment\r\n'), 20)
    socket.on('error', () => {})
    socket.on('close', () => clearInterval(drip))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const { mail } = readConfig({ ...FROM, SMTP_URL: `smtp://127.0.0.1:${port}` })
  if (!mail) throw new Error('There is no mail server')
  const send = openTransport(mail, 300)
  await expect(send({ id: newId(), to: 'ada@example.com', content: CONTENT, sender: 'Parley' })).rejects.toThrow(
    /abort|timeout/i,
  )
})

it('the queue contains no code of a link, and each attempt sends the same one', async () => {
  await smtp.stop()
  const action = { label: 'Go', url: 'https://chat.example.com/new-password#', codeFor: 'password 7' }
  await enqueue(app, 'ada@example.com', null, { ...CONTENT, action })
  await until(async () => (await rows(app))[0]?.error != null)
  const code = app.linkCode('password 7')
  expect(JSON.stringify(await rows(app))).not.toContain(code)
  await smtp.start()
  await makeDue(app)
  await until(async () => (await rows(app)).length === 0)
  expect(smtp.received[0]?.text).toContain(`https://chat.example.com/new-password#${code}`)
})
