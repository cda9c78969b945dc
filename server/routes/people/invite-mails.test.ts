import { expect, test, vi } from 'vitest'
import type { Invite } from '#contract/invites'
import { REFUSED, startMailServer } from '../../test/services/mail-server.ts'
import { startParley } from '../../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const PUBLIC = 'https://chat.example.com'
const smtp = await startMailServer()
const MAIL = { SMTP_URL: smtp.url(), MAIL_FROM: 'chat@example.com', PUBLIC_URL: PUBLIC }
const parley = await startParley({ ...MAIL, SIGNUP: 'invite' })
const { app } = parley
const ada = await parley.person('ada')

const mailsTo = (email: string) => smtp.received.filter(({ to }) => to === email)
async function codeFor(email: string, count = 1) {
  await vi.waitUntil(() => mailsTo(email).length === count, { timeout: STATE_TIMEOUT_MS })
  return /\/invite\/([\w-]+)/.exec(mailsTo(email).at(-1)?.text ?? '')?.[1] ?? ''
}
const invite = async (emails: string[], more: object = {}) => ada.post('/api/invites/mail', { emails, ...more })
const list = async () => (await ada.get('/api/invites')).body as Invite[]
const stateOf = async (email: string) => (await list()).find((it) => it.email === email)?.mail
let made = 0
const signUp = async (email: string, code: string, at = app) => {
  const username = `somebody-${made++}`
  const payload = { name: username, username, email, password: 'correct horse', invite: code }
  const answer = await at.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload })
  return { status: answer.statusCode, code: answer.json().code as string | undefined, user: answer.json().user }
}

test('each address gets a separate link, which only it can use, once', async () => {
  const { status, body } = await invite(['Bob@Example.com', 'cyd@example.com', 'bob@example.com'])
  expect(status).toBe(201)
  expect(body).toMatchObject([
    { email: 'bob@example.com', maxUses: 1, uses: 0, mail: 'waiting', createdBy: { username: 'ada' } },
    { email: 'cyd@example.com' },
  ])
  expect(JSON.stringify(body)).not.toContain('code')
  const code = await codeFor('bob@example.com')
  expect(code).not.toBe(await codeFor('cyd@example.com'))
  expect(mailsTo('bob@example.com')[0]?.header('Subject')).toBe('Ada invites you to Parley')
  await expect.poll(() => stateOf('bob@example.com')).toBe('sent')
  expect((await app.inject(`/api/auth/invite?code=${code}`)).json()).toEqual({ from: 'Ada', email: 'bob@example.com' })

  expect(await signUp('eve@example.com', code)).toMatchObject({ status: 403, code: 'INVITE_ADDRESS' })
  expect(await signUp('BOB@example.com', code)).toMatchObject({ status: 200, user: { emailVerified: true } })
  expect(await signUp('bob2@example.com', code)).toMatchObject({ status: 403, code: 'INVITE_ENDED' })
  expect((await list()).map(({ email }) => email)).not.toContain('bob@example.com')
})

test('the database itself refuses another address, whichever version runs', async () => {
  await invite(['dan@example.com'])
  const { id } = (await list()).find((it) => it.email === 'dan@example.com') as Invite
  const row = { id: 'an-intruder', name: 'x', email: 'eve@example.com', username: 'intruder', inviteId: id }
  await expect(app.db.insertInto('users').values(row).execute()).rejects.toThrow('for another address')
})

test('mailing again sends the same link; inviting again replaces it', async () => {
  const { body } = await invite(['fay@example.com'])
  const first = await codeFor('fay@example.com')
  const again = await ada.post(`/api/invites/${body[0].id}/mail`)
  expect(again).toMatchObject({ status: 200, body: { id: body[0].id, email: 'fay@example.com' } })
  expect(await codeFor('fay@example.com', 2)).toBe(first)
  await invite(['fay@example.com'])
  const next = await codeFor('fay@example.com', 3)
  expect(await signUp('fay@example.com', first)).toMatchObject({ code: 'INVITE_ENDED' })
  expect(await signUp('fay@example.com', next)).toMatchObject({ status: 200 })
  expect((await ada.post(`/api/invites/${body[0].id}/mail`)).status).toBe(404)
  const link = (await ada.post('/api/invites', {})).body
  expect((await ada.post(`/api/invites/${link.id}/mail`)).status).toBe(404)
})

test('the list shows which mail was rejected', async () => {
  await invite([REFUSED])
  await expect.poll(() => stateOf(REFUSED)).toBe('refused')
})

test('guests can be invited to channels by mail', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'for the guests', isPrivate: true })
  expect((await invite(['gil@example.com'], { guests: { channelIds: [channel.id], days: 3 } })).status).toBe(201)
  const { user } = await signUp('gil@example.com', await codeFor('gil@example.com'))
  const members = await app.db.selectFrom('memberships').select('channelId').where('userId', '=', user.id).execute()
  expect(members).toEqual([{ channelId: channel.id }])
})

test('members cannot invite; people who may invite but not see addresses see only those they invited', async () => {
  const code = (await ada.post('/api/invites', {})).body.code
  const mei = await parley.person('mei', code)
  const emails = ['zoe@example.com']
  expect((await mei.post('/api/invites/mail', { emails })).status).toBe(403)
  await ada.patch('/api/workspace/permissions', { inviteToWorkspace: ['admin', 'member'] })
  await invite(['tom@example.com'])
  expect((await mei.post('/api/invites/mail', { emails })).body[0].email).toBe('zoe@example.com')
  const seen = (await mei.get('/api/invites')).body as Invite[]
  expect(seen.flatMap(({ email }) => email ?? [])).toEqual(['zoe@example.com'])
  await ada.patch('/api/workspace/permissions', { inviteToWorkspace: ['admin'] })
})

test('invalid addresses and too many mails are refused', async () => {
  for (const emails of [[], ['x'], ['a@b,c@d.e'], ['a@b.c\r\nBcc: d@e.f'], Array(21).fill('a@b.c')])
    expect((await invite(emails)).status, String(emails)).toBe(400)
  const strict = await startParley({ ...MAIL, RATE_LIMIT: 'on' })
  const olga = await strict.person('olga')
  const { body } = await olga.post('/api/invites/mail', { emails: ['a@example.com'] })
  const statuses = new Set<number>()
  for (let i = 0; i < 100; i++) statuses.add((await olga.post(`/api/invites/${body[0].id}/mail`)).status)
  expect([...statuses]).toEqual([200, 429])
})

test('with open sign-up the link confirms the address; without a mail server nothing is mailed', async () => {
  const open = await startParley(MAIL)
  const olga = await open.person('olga')
  await olga.post('/api/invites/mail', { emails: ['hal@example.com'] })
  const code = await codeFor('hal@example.com')
  expect(await signUp('other@example.com', code, open.app)).toMatchObject({
    status: 200,
    user: { emailVerified: false },
  })
  expect(await signUp('hal@example.com', code, open.app)).toMatchObject({ status: 200, user: { emailVerified: true } })
  const silent = await startParley()
  const uma = await silent.person('uma')
  const refused = await uma.post('/api/invites/mail', { emails: ['a@example.com'] })
  expect([refused.status, refused.body.error.reason]).toEqual([404, 'noMail'])
})
