import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { expect, test, vi } from 'vitest'
import type { LaterItem } from '#contract/later'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { type Person, startParley } from '../../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const parley = await startParley()
const { db } = parley.app
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

let made = 0
/** A message of Ada's in a private channel with Bob, but not Eve. */
async function newMessage(): Promise<Message> {
  const { body } = await ada.post('/api/channels', { name: `later-${made++}`, isPrivate: true, members: [bob.id] })
  return ada.say(body.id, 'read this')
}
const newPerson = () => parley.person(`later-${made++}`)
/** Somebody who may read a message of their own. */
async function writer() {
  const person = await newPerson()
  const { body } = await person.post('/api/channels', { name: `later-${made++}`, isPrivate: true })
  return { person, message: await person.say(body.id, 'mine') }
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const save = (person: Person, body: object) => person.post('/api/later', body)
const change = (person: Person, { id }: LaterItem, body: object) => person.patch(`/api/later/${id}`, body)
const remove = (person: Person, { id }: LaterItem) => person.delete(`/api/later/${id}`)
const listed = async (person: Person): Promise<LaterItem[]> => (await person.get('/api/later')).body
const done = async (person: Person, cursor?: string) =>
  (await person.get(`/api/later/done${cursor ? `?cursor=${cursor}` : ''}`)).body as {
    items: LaterItem[]
    nextCursor: string | null
  }
/** Waits until a statement waits for a lock. */
const untilBlocked = () =>
  vi.waitUntil(
    async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length > 0
    },
    { timeout: STATE_TIMEOUT_MS, interval: 10 },
  )
const read = async (person: Person, ...messageIds: string[]): Promise<Message[]> =>
  (await person.post('/api/later/messages', { messageIds })).body

test('a message is saved once, newest first, and only its reader sees that', async () => {
  const [first, second] = [await newMessage(), await newMessage()]
  const person = bob
  const { status, body: item } = await save(person, { messageId: first.id })
  expect(status).toBe(201)
  expect(item).toMatchObject({ messageId: first.id, text: null, dueAt: null, remindedAt: null, doneAt: null, rev: 1 })
  const { body: other } = await save(person, { messageId: second.id })
  expect(await save(person, { messageId: first.id })).toMatchObject({ status: 200, body: item })
  expect(await listed(person)).toEqual([other, item])
  expect(await read(person, first.id, second.id)).toHaveLength(2)
  expect(await listed(ada)).toEqual([])
  expect(await read(ada, first.id)).toEqual([])
  expect((await ada.get(`/api/messages/channel/${first.channelId}`)).body).toEqual([first])
})

test('an outsider can neither save a message nor touch what others saved', async () => {
  const message = await newMessage()
  expect(await save(eve, { messageId: message.id })).toMatchObject({ status: 404, code: 'not_found' })
  expect(await save(eve, { messageId: uuid() })).toMatchObject({ status: 404, code: 'not_found' })
  const { body: item } = await save(bob, { messageId: message.id })
  expect(await change(eve, item, { isDone: true })).toMatchObject({ status: 404, code: 'not_found' })
  expect(await remove(eve, item)).toMatchObject({ status: 404, code: 'not_found' })
  expect(await listed(bob)).toContainEqual(item)
})

test('who loses the channel keeps the item, without the message', async () => {
  const message = await newMessage()
  const { body: item } = await save(bob, { messageId: message.id, dueAt: inHours(3) })
  expect((await read(bob, message.id)).map(({ content }) => content)).toEqual(['read this'])
  await ada.post(`/api/channels/${message.channelId}/remove-member`, { userId: bob.id })
  expect(await read(bob, message.id)).toEqual([])
  expect(await listed(bob)).toContainEqual(item)
  expect(JSON.stringify(await listed(bob))).not.toContain('read this')
  expect(await save(bob, { messageId: message.id })).toMatchObject({ status: 404 })
})

test('the messages follow edits and deletions', async () => {
  const { person, message } = await writer()
  await save(person, { messageId: message.id })
  await person.put(`/api/messages/${message.id}`, { content: 'read that' })
  expect((await read(person, message.id)).map(({ content }) => content)).toEqual(['read that'])
  await person.delete(`/api/messages/${message.id}`)
  expect(await read(person, message.id)).toMatchObject([{ content: '', deletedAt: expect.any(String) }])
  expect(await save(person, { messageId: message.id })).toMatchObject({ status: 409, code: 'deleted' })
  // As retention does, later.
  await db.deleteFrom('messages').where('id', '=', message.id).execute()
  expect(await listed(person)).toEqual([])
})

test('a reminder has a text or a message, and a time within a year', async () => {
  const { person, message } = await writer()
  const dueAt = inHours(20)
  const { body: item } = await save(person, { text: '  call the supplier ', dueAt })
  expect(item).toMatchObject({ messageId: null, text: 'call the supplier', dueAt })
  for (const body of [
    {},
    { text: 'both', messageId: message.id },
    { text: ' ' },
    { text: 'x'.repeat(limits.later.text + 1) },
    { text: 'nul \0' },
    { text: '\u200b\u0001' },
    { messageId: 'no-id' },
    { text: 'past', dueAt: inHours(-0.01) },
    { text: 'far', dueAt: inHours(24 * 367) },
    { text: 'odd', dueAt: 'tomorrow' },
    { text: 'odd', dueAt: `${inHours(1).slice(0, -1)}${'1'.repeat(200)}Z` },
    { text: 'odd', dueAt: '2027-02-30T09:00:00Z' },
  ])
    expect(await save(person, body), JSON.stringify(body)).toMatchObject({ status: 400, code: 'invalid' })
  expect(await change(person, item, { dueAt: inHours(-1) })).toMatchObject({ status: 400, code: 'invalid' })
  expect(await change(person, item, { text: '' })).toMatchObject({ status: 400, code: 'invalid' })
  expect(await listed(person)).toEqual([item])
  const { body: saved } = await save(person, { messageId: message.id })
  expect(await change(person, saved, { text: 'not mine' })).toMatchObject({ status: 400, code: 'invalid' })
})

test('saving a message again with a time sets its reminder; null removes it', async () => {
  const { person, message } = await writer()
  const { body: item } = await save(person, { messageId: message.id })
  const dueAt = inHours(2)
  expect(await save(person, { messageId: message.id, dueAt })).toMatchObject({
    status: 200,
    body: { ...item, dueAt, rev: 2 },
  })
  expect((await save(person, { messageId: message.id })).body).toMatchObject({ dueAt, rev: 2 })
  expect((await change(person, item, { dueAt: null })).body).toMatchObject({ dueAt: null, rev: 3 })
})

test('what is done is listed apart, last first, in pages, and can be opened again', async () => {
  const person = await newPerson()
  const count = limits.later.page + 2
  const items: LaterItem[] = []
  for (let n = 0; n < count; n++) items.push((await save(person, { text: `task ${n}` })).body)
  for (const item of items) await change(person, item, { isDone: true })
  // Two at the same moment.
  await db
    .updateTable('later_items')
    .set({ doneAt: sql<string>`(select max("doneAt") from later_items where "userId" = ${person.id})` })
    .where(
      'id',
      'in',
      items.slice(0, 2).map(({ id }) => id),
    )
    .execute()
  expect(await listed(person)).toEqual([])
  const first = await done(person)
  expect(first.items).toHaveLength(limits.later.page)
  const second = await done(person, first.nextCursor ?? '')
  expect(second.nextCursor).toBeNull()
  const texts = [...first.items, ...second.items].map(({ text }) => text)
  expect(new Set(texts).size).toBe(count)
  expect(texts.slice(-1)).toEqual(['task 2'])
  expect(await person.get('/api/later/done?cursor=x')).toMatchObject({ status: 400 })

  const [item] = first.items
  const { body: open } = await change(person, item as LaterItem, { isDone: false })
  expect(await listed(person)).toEqual([open])
  expect((await change(person, open, { isDone: true })).body.doneAt).not.toBeNull()
  // A new time opens it as well.
  expect((await change(person, open, { dueAt: inHours(1) })).body).toMatchObject({ doneAt: null })
})

test('a change without an effect is none, and nobody is told', async () => {
  const { person, message } = await writer()
  const dueAt = inHours(1)
  const { body: item } = await save(person, { text: 'task', dueAt })
  const device = await person.listen()
  for (const body of [{}, { isDone: false }, { text: 'task' }, { dueAt }])
    expect((await change(person, item, body)).body, JSON.stringify(body)).toEqual(item)
  const { body: finished } = await change(person, item, { isDone: true })
  expect((await change(person, item, { isDone: true })).body).toEqual(finished)
  const { body: marker } = await save(person, { messageId: message.id })
  await device.waitFor('later:changed', ({ id }) => id === marker.id)
  expect(device.all('later:changed')).toEqual([finished, marker])
})

test('a message that is removed while it is saved is not found', async () => {
  const { person, message } = await writer()
  const answer = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', person.id).forUpdate().execute()
    const saving = save(person, { messageId: message.id })
    await untilBlocked()
    await tx.deleteFrom('messages').where('id', '=', message.id).execute()
    return { saving }
  })
  expect(await answer.saving).toMatchObject({ status: 404, code: 'not_found' })
})

test('nothing is stored for an account that is deleted meanwhile', async () => {
  const person = await newPerson()
  const answer = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('id').where('id', '=', person.id).forUpdate().execute()
    const saving = save(person, { text: 'a secret' })
    await untilBlocked()
    await tx
      .updateTable('users')
      .set({ deactivatedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', person.id)
      .execute()
    return { saving }
  })
  expect(await answer.saving).toMatchObject({ status: 401 })
  expect(await db.selectFrom('later_items').select('id').where('userId', '=', person.id).execute()).toEqual([])
})

test('a done message that is saved again is open again, and first', async () => {
  const { person, message } = await writer()
  const { body: item } = await save(person, { messageId: message.id })
  const { body: other } = await save(person, { text: 'other' })
  await change(person, item, { isDone: true })
  const { status, body: again } = await save(person, { messageId: message.id })
  expect([status, again.id, again.doneAt]).toEqual([200, item.id, null])
  expect((await listed(person)).map(({ id }) => id)).toEqual([item.id, other.id])
})

test('a person has a limited number of open items, also if they add them at once', async () => {
  const { person, message } = await writer()
  const { body: finished } = await save(person, { text: 'finished' })
  await change(person, finished, { isDone: true })
  const rows = Array.from({ length: limits.later.open - 1 }, (_, n) => ({
    id: uuid(),
    userId: person.id,
    text: `task ${n}`,
  }))
  await db.insertInto('later_items').values(rows).execute()
  const answers = await Promise.all(Array.from({ length: 4 }, (_, n) => save(person, { text: `last ${n}` })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  const refused = { status: 409, code: 'too_many_later' }
  expect(await save(person, { messageId: message.id })).toMatchObject(refused)
  expect(await change(person, finished, { isDone: false })).toMatchObject(refused)
  expect(await change(person, finished, { dueAt: inHours(1) })).toMatchObject(refused)
  expect(await listed(person)).toHaveLength(limits.later.open)
})

test('all of a person’s devices learn of a change, and nobody else', async () => {
  const message = await newMessage()
  const [listener, outsider, author] = [await bob.listen(), await eve.listen(), await ada.listen()]
  const { body: item } = await save(bob, { messageId: message.id })
  const { body: changed } = await change(bob, item, { isDone: true })
  await remove(bob, item)
  await listener.waitFor('later:removed', ({ id }) => id === item.id)
  const about = listener.events.filter(({ event }) => event.startsWith('later:'))
  expect(about.map(({ payload }) => payload)).toEqual([item, changed, { id: item.id }])
  for (const { events } of [outsider, author])
    expect(events.filter(({ event }) => event.startsWith('later:'))).toEqual([])
  expect(await remove(bob, item)).toMatchObject({ status: 404, code: 'not_found' })
})
