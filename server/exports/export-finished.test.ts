import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { startMailServer } from '../test/services/mail-server.ts'
import { type Person, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'

const smtp = await startMailServer()
const PUBLIC_URL = 'https://chat.example.com'
const parley = await startParley({ SMTP_URL: smtp.url(), MAIL_FROM: 'chat@example.com', PUBLIC_URL })
const { olga, ada, eve } = await parley.people('olga', 'ada', 'eve')

const mailsTo = ({ email }: Person) =>
  smtp.received.filter(({ to, header }) => to === email && /export/i.test(header('Subject') ?? ''))
async function mailTo(person: Person) {
  await vi.waitUntil(() => mailsTo(person).length > 0, { timeout: STATE_TIMEOUT_MS, interval: 20 })
  return mailsTo(person)
}

beforeEach(() => {
  smtp.received.length = 0
})

test('whoever asked for an export is told by an event and a mail when it is done; nobody else is', async () => {
  const [adas, eves] = [await ada.listen(), await eve.listen()]
  const { body } = await ada.post('/api/exports', { scope: 'mine' })
  expect(await adas.waitFor('export:finished')).toEqual({ id: body.id, isDone: true })
  const [done] = (await ada.get('/api/exports')).body
  expect(Date.parse(done.expiresAt) - Date.parse(done.finishedAt)).toBe(24 * 3_600_000)
  const [mail, ...others] = await mailTo(ada)
  expect(others).toEqual([])
  expect(mail?.header('Subject')).toBe('Your export from Parley is ready')
  const until = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  expect(mail?.text).toContain(`until ${until.format(new Date(done.expiresAt))} UTC`)
  expect(mail?.text).toContain('Your data')
  // It may be read by others, so it contains nothing that works without signing in.
  expect(mail?.text).not.toContain(body.id)
  await ada.post('/api/channels', { name: 'the-last-one' })
  await eves.waitFor('channel:created')
  expect(eves.all('export:finished')).toEqual([])
  expect(mailsTo(eve)).toEqual([])
})

test('the mail about the workspace leads to its exports', async () => {
  await olga.post('/api/exports', { scope: 'workspace' })
  const [mail] = await mailTo(olga)
  expect(mail?.text).toContain(`${PUBLIC_URL}/admin/export`)
})

test('an export that was given up is told, too', async () => {
  const adas = await ada.listen()
  const id = '0199a1de-0000-7000-8000-00000000f001'
  await sql`insert into exports (id, "userId", scope, state, "archiveId", attempts, "touchedAt")
    values (${id}, ${ada.id}, 'mine', 'running', '0199a1de-0000-7000-8000-00000000f002', 3, now() - interval '1 minute')`.execute(
    parley.app.db,
  )
  parley.app.exporting.wake()
  expect(await adas.waitFor('export:finished')).toEqual({ id, isDone: false })
  const [mail] = await mailTo(ada)
  expect(mail?.header('Subject')).toBe('Your export from Parley failed')
  expect(mail?.text).not.toContain('Your data')
})
