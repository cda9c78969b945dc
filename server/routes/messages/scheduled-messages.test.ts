import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { expect, test, vi } from 'vitest'
import { limits } from '#contract/limits'
import type { ScheduledMessage } from '#contract/scheduled-messages'
import { sweepOnce } from '../../files/sweep-files.ts'
import { sendDue } from '../../scheduled/send-due.ts'
import { type Person, startParley } from '../../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const parley = await startParley({}, undefined, { scheduledPollMs: 2 ** 31 - 1 })
const { app } = parley
const { db } = app
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

let made = 0
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const newPerson = () => parley.person(`plan-${made++}`)
/** A private channel of Ada's with Bob and others, but not Eve. */
async function newChannel(...members: Person[]): Promise<string> {
  const ids = [bob, ...members].map(({ id }) => id)
  return (await ada.post('/api/channels', { name: `plan-${made++}`, isPrivate: true, members: ids })).body.id
}
const URL = '/api/scheduled-messages'
const schedule = (person: Person, channelId: string, more: object = {}) =>
  person.post(URL, { channelId, content: 'good morning', sendAt: inHours(1), ...more })
const change = (person: Person, { id }: ScheduledMessage, body: object) => person.patch(`${URL}/${id}`, body)
const cancel = (person: Person, { id }: ScheduledMessage) => person.delete(`${URL}/${id}`)
const sendNow = (person: Person, { id }: ScheduledMessage) => person.post(`${URL}/${id}/send`)
const listed = async (person: Person): Promise<ScheduledMessage[]> => (await person.get(URL)).body
const textsIn = async (channelId: string) =>
  (await ada.get(`/api/messages/channel/${channelId}`)).body.map(({ content }: { content: string }) => content)

test('a message is scheduled, listed by its time, and seen by nobody else', async () => {
  const person = await newPerson()
  const channelId = await newChannel(person)
  const { body: second } = await schedule(person, channelId, { sendAt: inHours(2), content: '  second\n' })
  const { status, body: first } = await schedule(person, channelId, { sendAt: inHours(1) })
  expect(status).toBe(201)
  expect(second).toMatchObject({ channelId, channelName: expect.stringMatching(/^plan-/), threadId: null, rev: 1 })
  expect(second).toMatchObject({ content: 'second', files: [], failure: null })
  expect(await listed(person)).toEqual([first, second])
  for (const someone of [ada, bob, eve]) expect(await listed(someone)).toEqual([])
  expect(await textsIn(channelId)).toEqual([])
})

test('only members schedule, and only its author touches a message', async () => {
  const channelId = await newChannel()
  const { body: item } = await schedule(bob, channelId)
  expect(await schedule(eve, channelId)).toMatchObject({ status: 404, code: 'not_found' })
  for (const someone of [eve, ada]) {
    expect(await change(someone, item, { content: 'mine' })).toMatchObject({ status: 404, code: 'not_found' })
    expect(await cancel(someone, item)).toMatchObject({ status: 404, code: 'not_found' })
    expect(await sendNow(someone, item)).toMatchObject({ status: 404, code: 'not_found' })
  }
  expect(await listed(bob)).toContainEqual(item)
})

test('what could not be sent now is not scheduled', async () => {
  const channelId = await newChannel()
  const message = await ada.say(channelId, 'hello')
  const { body: reply } = await ada.post('/api/threads/messages', { parentMessageId: message.id, content: 'a reply' })
  const elsewhere = await newChannel()
  for (const sendAt of [inHours(-1), inHours(367 * 24), '2026-02-30T10:00:00.000Z', 'tomorrow'])
    expect(await schedule(bob, channelId, { sendAt }), sendAt).toMatchObject({ status: 400, code: 'invalid' })
  expect(await schedule(bob, channelId, { content: ' \n ' })).toMatchObject({ status: 400, code: 'invalid' })
  const long = 'x'.repeat(limits.messageContent + 1)
  expect(await schedule(bob, channelId, { content: long })).toMatchObject({ status: 400, code: 'invalid' })
  expect(await schedule(bob, elsewhere, { threadId: message.id })).toMatchObject({ status: 400, code: 'invalid' })
  expect(await schedule(bob, channelId, { threadId: reply.id })).toMatchObject({ status: 400, code: 'not_a_parent' })
  expect(await schedule(bob, channelId, { threadId: uuid() })).toMatchObject({ status: 404 })
  await ada.put(`/api/channels/${channelId}/archive`, {})
  expect(await schedule(bob, channelId)).toMatchObject({ status: 409, code: 'archived' })
})

test('a repeat with the same key returns the first, whatever has happened since, and it is sent once', async () => {
  const channelId = await newChannel()
  const clientId = uuid()
  const { body: item } = await schedule(bob, channelId, { clientId })
  expect(await schedule(bob, channelId, { clientId, content: 'another' })).toMatchObject({ status: 200, body: item })
  const other = await newChannel()
  expect(await schedule(bob, other, { clientId })).toMatchObject({ status: 409, code: 'client_id_reused' })
  expect(await schedule(bob, channelId, { clientId, sendAt: inHours(-1) })).toMatchObject({ status: 200, body: item })
  await ada.put(`/api/channels/${channelId}/archive`, {})
  expect(await schedule(bob, channelId, { clientId })).toMatchObject({ status: 200, body: item })
  await ada.delete(`/api/channels/${channelId}/archive`)
  const { status, body: sent } = await sendNow(bob, item)
  expect(status).toBe(201)
  expect(sent).toMatchObject({ clientId, content: 'good morning', userId: bob.id })
  expect(await schedule(bob, channelId, { clientId })).toMatchObject({ status: 409, code: 'client_id_reused' })
  expect(await sendNow(bob, item)).toMatchObject({ status: 404, code: 'not_found' })
  expect(await textsIn(channelId)).toEqual(['good morning'])
})

test('a message whose key another one has taken is sent under a new key', async () => {
  const channelId = await newChannel()
  const clientId = uuid()
  const { body: item } = await schedule(bob, channelId, { clientId })
  await bob.post('/api/messages', { channelId, content: 'another', clientId })
  const { status, body: sent } = await sendNow(bob, item)
  expect(status).toBe(201)
  expect(sent.clientId).not.toBe(clientId)
  expect(await textsIn(channelId)).toEqual(['another', 'good morning'])
})

test('what is edited while it is sent is sent as it is then', async () => {
  const channelId = await newChannel()
  const { body: item } = await schedule(bob, channelId)
  const sent = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('channels').select('id').where('id', '=', channelId).forUpdate().execute()
    const answer = sendNow(bob, item)
    await vi.waitUntil(
      async () => {
        const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'`.execute(db)
        return rows.length > 0
      },
      { timeout: STATE_TIMEOUT_MS, interval: 10 },
    )
    expect((await change(bob, item, { content: 'good evening' })).status).toBe(200)
    return { answer }
  })
  expect(await sent.answer).toMatchObject({ status: 201, body: { content: 'good evening' } })
  expect(await textsIn(channelId)).toEqual(['good evening'])
})

test('text and time are changed; a change without effect is not published', async () => {
  const person = await newPerson()
  const channelId = await newChannel(person)
  const { body: item } = await schedule(person, channelId)
  const device = await person.listen()
  expect((await change(person, item, { content: item.content, sendAt: item.sendAt })).body).toEqual(item)
  const { body: edited } = await change(person, item, { content: 'good evening', before: item.content })
  expect(edited).toEqual({ ...item, content: 'good evening', rev: 2 })
  const { body: moved } = await change(person, edited, { sendAt: inHours(5) })
  expect(moved).toMatchObject({ content: 'good evening', rev: 3 })
  expect(moved.sendAt).not.toBe(item.sendAt)
  await cancel(person, item)
  await vi.waitUntil(() => device.all('scheduled:changed').length >= 3, { timeout: STATE_TIMEOUT_MS })
  expect(device.all('scheduled:changed')).toHaveLength(3)
  expect(await listed(person)).toEqual([])
})

test('an edit of a text that was edited elsewhere is a conflict, an empty one is refused', async () => {
  const channelId = await newChannel()
  const { body: item } = await schedule(bob, channelId)
  await change(bob, item, { content: 'from my phone' })
  const late = { content: 'from my laptop', before: item.content }
  expect(await change(bob, item, late)).toMatchObject({ status: 409, code: 'edit_conflict' })
  expect(await change(bob, item, { content: '  ' })).toMatchObject({ status: 400, code: 'invalid' })
  expect(await change(bob, item, { sendAt: inHours(-1) })).toMatchObject({ status: 400, code: 'invalid' })
  expect((await listed(bob)).find(({ id }) => id === item.id)?.content).toBe('from my phone')
})

test('files wait with their message, can be sent with nothing else, and are free when it is cancelled', async () => {
  const channelId = await newChannel()
  const { body: file } = await bob.upload(channelId, 'plan.txt', 'the plan', true)
  const fileIds = [file.id]
  const { body: item } = await schedule(bob, channelId, { content: '', fileIds })
  expect(item.files).toMatchObject([{ id: file.id, name: 'plan.txt' }])
  const attached = { status: 409, code: 'file_attached' }
  expect(await bob.post('/api/messages', { channelId, content: 'x', fileIds })).toMatchObject(attached)
  expect(await schedule(bob, channelId, { fileIds })).toMatchObject(attached)
  expect(await bob.delete(`/api/files/${file.id}`)).toMatchObject(attached)
  expect(await schedule(ada, channelId, { fileIds })).toMatchObject({ status: 400, code: 'no_such_file' })
  await sql`update files set "touchedAt" = now() - interval '1 year'`.execute(db)
  await sweepOnce(db, app.storage)
  expect(await ada.get(`/api/files/${file.id}/plan.txt`)).toMatchObject({ status: 404, code: 'not_found' })
  await cancel(bob, item)
  await sweepOnce(db, app.storage)
  const { body: message } = await bob.post('/api/messages', { channelId, content: 'x', fileIds })
  expect(message.files).toMatchObject([{ id: file.id }])
})

test('a message whose file is lost is sent without it, once its author knows', async () => {
  const channelId = await newChannel()
  const upload = async (name: string) => (await bob.upload(channelId, name, 'a plan', true)).body.id
  const [lost, kept] = [await upload('lost.txt'), await upload('kept.txt')]
  const { body: item } = await schedule(bob, channelId, { fileIds: [lost, kept] })
  const { body: empty } = await schedule(bob, channelId, { content: '', fileIds: [await upload('only.txt')] })
  await sql`update files set state = 'gone' where id = ${lost} or "scheduledId" = ${empty.id}`.execute(db)
  expect(await sendNow(bob, item)).toMatchObject({ status: 400, code: 'no_such_file' })
  await sql`update scheduled_messages set "nextTryAt" = now() where id = ${item.id}`.execute(db)
  await sendDue(app, app)
  expect((await listed(bob)).find(({ id }) => id === item.id)?.failure).toMatchObject({ code: 'no_such_file' })
  const { body: sent } = await sendNow(bob, item)
  expect(sent).toMatchObject({ content: 'good morning', files: [{ id: kept }] })
  expect(await change(bob, empty, { sendAt: inHours(2) })).toMatchObject({ status: 400, code: 'invalid' })
})

test('one person schedules a limited number', async () => {
  const person = await newPerson()
  const channelId = await newChannel(person)
  await sql`
    insert into scheduled_messages (id, "userId", "channelId", content, "clientId", "sendAt", "nextTryAt")
    select gen_random_uuid(), ${person.id}, ${channelId}, 'x', n::text, now() + interval '1 day', now() + interval '1 day'
    from generate_series(1, ${limits.scheduled - 1}) n`.execute(db)
  const both = await Promise.all([schedule(person, channelId), schedule(person, channelId)])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(both.find(({ status }) => status === 409)).toMatchObject({ code: 'too_many_scheduled' })
  expect(await listed(person)).toHaveLength(limits.scheduled)
})
