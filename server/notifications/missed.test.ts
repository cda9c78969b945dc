import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { startMailServer } from '../test/services/mail-server.ts'
import { newFolder, run } from '../test/support/backup-commands.ts'
import { longTest } from '../test/support/long.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { listen, type Person, serve, startParley, untilPeers } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { lookForMissed } from './mail-missed.ts'
import { readStopToken, setRule, stopToken } from './rules.ts'

const PUBLIC = 'https://chat.example.com'
const smtp = await startMailServer()
const SETTINGS = { SMTP_URL: smtp.url(), MAIL_FROM: 'chat@example.com', PUBLIC_URL: PUBLIC }
/** The tests trigger the checks. */
const BOUNDS = { missedMail: { afterMs: 0, pollMs: 2 ** 31 - 1 } }
const parley = await startParley(SETTINGS, undefined, BOUNDS)
const other = await serve(parley.databaseUrl, SETTINGS, undefined, BOUNDS)
const { app } = parley
const { db } = app
const { ada } = await parley.people('ada')
const until = (isTrue: () => Promise<boolean> | boolean) =>
  vi.waitUntil(isTrue, { timeout: STATE_TIMEOUT_MS, interval: 20 })
let made = 0

beforeAll(async () => {
  await untilPeers(parley, other)
  // Messages before the first check count as old.
  await look()
})

/** A person with a confirmed address who was active a while ago. They make no requests, which would count as activity. */
async function away(name = `away-${made++}`) {
  const person = await parley.person(name)
  await db.updateTable('users').set({ emailVerified: true }).where('id', '=', person.id).execute()
  await db
    .updateTable('sessions')
    .set({ lastUsedAt: sql<string>`clock_timestamp() - interval '1 minute'` })
    .where('userId', '=', person.id)
    .execute()
  return person
}
/**
 * Marks a person as seen after everything mailed so far and before what is sent next, even if the machine's clock is set back.
 */
async function seenNow({ id }: Person) {
  await db
    .updateTable('sessions')
    .set({
      lastUsedAt: sql<string>`greatest(clock_timestamp(), (select max("mailedAt") from missed_mails) + interval '1 millisecond')`,
    })
    .where('userId', '=', id)
    .execute()
  const isPast = sql<boolean>`clock_timestamp() > "lastUsedAt" + interval '1 millisecond'`
  await until(async () => {
    const sessions = await db.selectFrom('sessions').select(isPast.as('isPast')).where('userId', '=', id).execute()
    return sessions.every((it) => it.isPast)
  })
}
const directWith = async (...people: Person[]) =>
  (await ada.post('/api/direct-messages', { userIds: people.map(({ id }) => id) })).body.id as string
async function channelWith(...people: Person[]) {
  const { body } = await ada.post('/api/channels', { name: `place ${made++}`, isPrivate: true })
  for (const { id } of people) await ada.post(`/api/channels/${body.id}/invite`, { userId: id })
  return body as { id: string; name: string }
}
/** Mails about missed messages, without those that confirm an address. */
const mailsTo = ({ email }: Person) =>
  smtp.received.filter((it) => it.to === email && it.header('List-Unsubscribe') !== undefined)
/** Lets both nodes check until everything sent so far has been processed. */
async function find() {
  const last = await db.selectFrom('messages').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  await until(async () => {
    await Promise.all([app, other.app].map((node) => lookForMissed(node, 0)))
    const { lastId } = await db.selectFrom('missed_cursor').select('lastId').executeTakeFirstOrThrow()
    return last === undefined || lastId > last.id
  })
}
/** Does that, and waits until all mails were sent. */
async function look() {
  await find()
  await until(async () => (await db.selectFrom('mails').select('id').execute()).length === 0)
}

test('a missed direct message is mailed, once per conversation until the person returns', async () => {
  const bob = await away()
  const channelId = await directWith(bob)
  await ada.say(channelId, 'are you <b>there</b>?')
  await look()
  const [mail] = mailsTo(bob)
  expect(mail?.header('Subject')).toBe('Ada sent you a message')
  expect(mail?.text).toContain('Ada:\nare you <b>there</b>?')
  expect(mail?.text).toContain(`${PUBLIC}/channels/${channelId}`)
  expect(mail?.raw).toContain('&lt;b&gt;there')
  expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  expect(mail?.header('List-Unsubscribe')).toMatch(
    /^<https:\/\/chat\.example\.com\/api\/auth\/mail\/stop\/direct\.[\w-]+\.[\w-]+>$/,
  )

  await ada.say(channelId, 'hello?')
  await look()
  expect(mailsTo(bob)).toHaveLength(1)
  await seenNow(bob)
  await ada.say(channelId, 'again')
  await look()
  expect(mailsTo(bob)).toHaveLength(2)
})

test('people who are active on any node, or were since, get no mail', async () => {
  const [eve, fay] = [await away(), await away()]
  await listen(other.address, eve.token)
  await until(() => [app, other.app].every((it) => it.presence.statusOf(eve.id) === 'online'))
  const [withEve, withFay] = [await directWith(eve), await directWith(fay)]
  await db
    .updateTable('sessions')
    .set({ lastUsedAt: sql<string>`clock_timestamp() + interval '1 minute'` })
    .where('userId', '=', fay.id)
    .execute()
  await ada.say(withEve, 'you see this')
  await ada.say(withFay, 'and you have seen this')
  await look()
  expect([...mailsTo(eve), ...mailsTo(fay)]).toEqual([])
})

test('mentions are mailed, by name and by @channel; other messages and muted channels are not', async () => {
  const [bob, cyd, dan] = [await away(), await away(), await away()]
  const { id, name } = await channelWith(bob, cyd, dan)
  await db
    .updateTable('memberships')
    .set({ muted: true })
    .where('userId', '=', dan.id)
    .where('channelId', '=', id)
    .execute()
  await ada.say(id, 'nothing special')
  await ada.say(id, `@${bob.username} look at this`)
  await look()
  expect(mailsTo(bob)[0]?.header('Subject')).toBe(`Ada mentioned you in #${name}`)
  expect(mailsTo(bob)[0]?.text).not.toContain('nothing special')
  expect(mailsTo(cyd)).toEqual([])
  await ada.say(id, '@channel all of you')
  await look()
  expect(mailsTo(dan)).toEqual([])
  expect(mailsTo(bob)).toHaveLength(1)
})

test('replies in threads that somebody follows are mailed', async () => {
  const [bob, cyd] = [await away(), await away()]
  const { id, name } = await channelWith(bob, cyd)
  const parent = await ada.say(id, 'a question')
  await db.insertInto('thread_follows').values({ userId: bob.id, threadId: parent.id, isFollowing: true }).execute()
  await ada.post('/api/threads/messages', { parentMessageId: parent.id, content: 'an answer' })
  await look()
  expect(mailsTo(bob)[0]?.header('Subject')).toBe(`Ada replied in a thread in #${name}`)
  expect(mailsTo(bob)[0]?.text).toContain(`${PUBLIC}/channels/${id}?thread=${parent.id}`)
  await look()
  expect(mailsTo(cyd)).toEqual([])
})

test('nothing is mailed if it was deleted, edited or read, or the person left, returned, lost access or chose so', async () => {
  const names = ['deleted', 'edited', 'read', 'left', 'back', 'ended', 'stopped', 'silenced', 'stays'] as const
  const people = {} as Record<(typeof names)[number], Person>
  for (const name of names) people[name] = await away()
  const { id } = await channelWith(...Object.values(people))
  await until(async () => (await db.selectFrom('mails').select('id').execute()).length === 0)
  await smtp.stop()
  const said = {} as Record<keyof typeof people, { id: string; seq: number }>
  for (const [name, { username }] of Object.entries(people))
    said[name as 'read'] = await ada.say(id, `@${username} look`)
  const waiting = () =>
    db.selectFrom('mails').select('error').where(sql<boolean>`content ->> 'channelId' = ${id}`).execute()
  await find()
  await until(async () => (await waiting()).filter(({ error }) => error !== null).length === names.length)
  await ada.delete(`/api/messages/${said.deleted.id}`)
  await ada.put(`/api/messages/${said.edited.id}`, { content: 'never mind' })
  await db
    .updateTable('memberships')
    .set({ lastReadSeq: said.read.seq })
    .where('userId', '=', people.read.id)
    .where('channelId', '=', id)
    .execute()
  await ada.post(`/api/channels/${id}/remove-member`, { userId: people.left.id })
  await seenNow(people.back)
  await db
    .updateTable('users')
    .set({ role: 'guest', guestUntil: sql<string>`clock_timestamp()` })
    .where('id', '=', people.ended.id)
    .execute()
  await setRule(db, people.stopped.id, 'mentions', false)
  await db
    .updateTable('memberships')
    .set({ notificationLevel: 'nothing' })
    .where('userId', '=', people.silenced.id)
    .execute()
  await smtp.start()
  await db.updateTable('mails').set({ dueAt: sql<string>`clock_timestamp()` }).execute()
  await until(async () => (await waiting()).length === 0)
  const { stays, ...others } = people
  expect(mailsTo(stays)).toHaveLength(1)
  for (const [name, person] of Object.entries(others)) expect(mailsTo(person), name).toEqual([])
})

test('a mail contains at most five truncated messages, and names of files', async () => {
  const bob = await away()
  const channelId = await directWith(bob)
  await until(async () => (await db.selectFrom('mails').select('id').execute()).length === 0)
  await smtp.stop()
  for (let i = 0; i < 7; i++) await ada.say(channelId, `${i} ${'🦉'.repeat(200)}`)
  await find()
  const waiting = () => db.selectFrom('mails').select('error').where('userId', '=', bob.id).execute()
  await until(async () => (await waiting()).some(({ error }) => error !== null))
  await smtp.start()
  await db.updateTable('mails').set({ dueAt: sql<string>`clock_timestamp()` }).execute()
  await until(async () => (await waiting()).length === 0)
  const text = mailsTo(bob)[0]?.text ?? ''
  expect(text.match(/^\d 🦉/gm)).toHaveLength(5)
  expect(text).toContain('… and more')
  expect(text).not.toContain('\ufffd')
  expect(text.length).toBeLessThan(3000)
})

test('unconfirmed addresses get no mail', async () => {
  const bob = await parley.person(`away-${made++}`)
  await ada.say(await directWith(bob), 'hello')
  await look()
  expect(mailsTo(bob)).toEqual([])
})

test('a link stops a rule with one click and without a sign-in; forged links do nothing', async () => {
  const bob = await away()
  const channelId = await directWith(bob)
  await ada.say(channelId, 'hello')
  await look()
  const [, url = ''] = /<(.*)>/.exec(mailsTo(bob)[0]?.header('List-Unsubscribe') ?? '') ?? []
  const path = new URL(url).pathname
  const followed = await app.inject(path)
  expect([followed.statusCode, followed.headers.location]).toEqual([303, `/stop-mail#${path.split('/').at(-1)}`])
  const forged = stopToken(app.linkCode, 'direct', ada.id).replace(/\.[^.]+$/, `.${path.split('.').at(-1)}`)
  for (const token of [forged, 'x', 'direct..', 'direct.%00.x', `x.${'a'.repeat(500)}.y`])
    expect((await app.inject({ method: 'POST', url: `/api/auth/mail/stop/${token}` })).statusCode, token).toBe(404)
  expect(readStopToken(app.linkCode, forged)).toBeUndefined()
  const clicked = await app.inject({
    method: 'POST',
    url: path,
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect([clicked.statusCode, clicked.json()]).toEqual([200, { rule: 'direct' }])
  await seenNow(bob)
  await ada.say(channelId, 'again')
  await look()
  expect(mailsTo(bob)).toHaveLength(1)
  const rules = { direct: false, mentions: true, threads: true, digest: false, sendsMail: true, isConfirmed: true }
  expect((await bob.get('/api/mail-rules')).body).toEqual(rules)
  expect((await bob.patch('/api/mail-rules', { direct: true })).body).toEqual({ ...rules, direct: true })
  expect((await bob.patch('/api/mail-rules', { direct: 'yes' })).status).toBe(400)
})

longTest('a restored workspace does not mail messages from before its backup', async () => {
  const bob = await away()
  const channelId = await directWith(bob)
  await look()
  await ada.say(channelId, 'half an hour before the disk broke')
  const from = { DATABASE_URL: parley.databaseUrl, DATA_DIR: app.config.dataDir, BACKUP_TO: await newFolder() }
  expect(await run('backup', from)).toMatchObject({ isDone: true })
  const to = { ...from, DATABASE_URL: await newDatabase(), DATA_DIR: await newFolder() }
  expect(await run('restore', to)).toMatchObject({ isDone: true })
  const restored = await serve(to.DATABASE_URL, { ...SETTINGS, DATA_DIR: to.DATA_DIR }, undefined, BOUNDS)
  const mails = () => restored.app.db.selectFrom('mails').select('id').execute()
  await lookForMissed(restored.app, 0)
  expect(await mails()).toEqual([])
  // Later messages are.
  const { token } = ada
  const content = 'and afterwards'
  await restored.app.inject({
    ...{ method: 'POST', url: '/api/messages', payload: { channelId, content } },
    headers: { authorization: `Bearer ${token}` },
  })
  await until(async () => {
    await lookForMissed(restored.app, 0)
    return mailsTo(bob).length === 1
  })
  expect(mailsTo(bob)[0]?.text).toContain(content)
})

test('subscribers get the digest once a week, with their unread counts', async () => {
  const [bob, cyd] = [await away(), await away()]
  const { id, name } = await channelWith(bob, cyd)
  for (let i = 0; i < 3; i++) await ada.say(id, `news ${i}`)
  await setRule(db, bob.id, 'digest', true)
  const due = () => db.selectFrom('mail_rules').select('dueAt').where('userId', '=', bob.id).executeTakeFirstOrThrow()
  expect(Date.parse((await due()).dueAt ?? '') - Date.now()).toBeGreaterThan(6 * 86_400_000)
  const makeDue = () =>
    db.updateTable('mail_rules').set({ dueAt: sql<string>`clock_timestamp()` }).where('userId', '=', bob.id).execute()
  await makeDue()
  await look()
  expect(mailsTo(bob)[0]?.header('Subject')).toBe('Your week in Parley')
  expect(mailsTo(bob)[0]?.text).toContain(`#${name}: 3 unread messages`)
  expect(Date.parse((await due()).dueAt ?? '') - Date.now()).toBeGreaterThan(6 * 86_400_000)
  await look()
  expect(mailsTo(bob)).toHaveLength(1)
  expect(mailsTo(cyd)).toEqual([])
})
