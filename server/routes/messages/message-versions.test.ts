import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import type { MessageVersion } from '#contract/message-versions'
import type { Message } from '#contract/messages'
import { purgeOnce } from '../../channels/purge-channels.ts'
import { listen, type Person, serve, startParley } from '../../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const parley = await startParley()
const { db } = parley.app
// Olga came first, so she owns the workspace.
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')

let made = 0
/** A message of Ada's in a channel with Bob, but not Eve. */
async function newMessage(content = 'one', { isPrivate = true } = {}): Promise<Message> {
  const { body } = await ada.post('/api/channels', { name: `versions-${made++}`, isPrivate, members: [bob.id] })
  return ada.say(body.id, content)
}
const replyTo = async ({ id }: Message, content: string): Promise<Message> =>
  (await bob.post('/api/threads/messages', { parentMessageId: id, content })).body
const url = ({ id }: Message) => `/api/messages/${id}/versions`
const edit = async (message: Message, content: string, body: object = {}): Promise<Message> =>
  (await ada.put(`/api/messages/${message.id}`, { content, ...body })).body
const read = async (person: Person, message: Message, before?: number) =>
  (await person.get(url(message) + (before === undefined ? '' : `?before=${before}`))).body as {
    versions: MessageVersion[]
    next: number | null
  }
const contents = async (message: Message) => (await read(bob, message)).versions.map(({ content }) => content)
const stored = async ({ id }: Message) =>
  (
    await db.selectFrom('message_versions').select('number').where('messageId', '=', id).orderBy('number').execute()
  ).map(({ number }) => number)
const keep = (isOn: boolean, by = olga) => by.put('/api/workspace/edit-history', { isOn })

test('readers see the texts that a message had, newest first, each with the time it was written', async () => {
  const message = await newMessage()
  const second = await edit(message, 'two')
  const third = await edit(message, 'three')
  const versions = [
    { number: 3, content: 'three', at: third.editedAt },
    { number: 2, content: 'two', at: second.editedAt },
    { number: 1, content: 'one', at: message.createdAt },
  ]
  for (const person of [ada, bob]) expect(await read(person, message)).toEqual({ versions, next: null })
})

test('a message that was not edited has one version', async () => {
  const message = await newMessage()
  const only = { number: 1, content: 'one', at: message.createdAt }
  expect(await read(bob, message)).toEqual({ versions: [only], next: null })
})

test('replies have versions as well', async () => {
  const parent = await newMessage()
  const reply = await replyTo(parent, 'a replie')
  await bob.put(`/api/threads/messages/${reply.id}`, { content: 'a reply' })
  expect(await contents(reply)).toEqual(['a reply', 'a replie'])
  expect(await contents(parent)).toEqual(['one'])
})

test('an outsider gets the same answer as for a message that does not exist', async () => {
  const message = await newMessage()
  await edit(message, 'two')
  const [outside, nowhere] = [await eve.get(url(message)), await eve.get(`/api/messages/${uuid()}/versions`)]
  expect(outside).toMatchObject({ status: 404, code: 'not_found' })
  expect(outside.body.error).toMatchObject({ reason: nowhere.body.error.reason })
  const open = await newMessage('one', { isPrivate: false })
  await edit(open, 'two')
  expect((await read(eve, open)).versions).toHaveLength(2)
  await ada.post(`/api/channels/${message.channelId}/remove-member`, { userId: bob.id })
  expect((await bob.get(url(message))).status).toBe(404)
})

test('a repeated edit, and one that changes nothing, add no version', async () => {
  const message = await newMessage()
  const repeated = { editedAt: null }
  const first = await edit(message, 'two', repeated)
  const second = await edit(message, 'two', repeated)
  expect(second.editedAt).toBe(first.editedAt)
  expect(await contents(message)).toEqual(['two', 'one'])
  const untouched = await newMessage()
  expect((await edit(untouched, 'one')).editedAt).toBeNull()
  expect(await contents(untouched)).toEqual(['one'])
})

test('a refused edit adds no version; restoring an earlier text keeps the one in between', async () => {
  const message = await newMessage()
  const second = await edit(message, 'two')
  const late = await ada.put(`/api/messages/${message.id}`, { content: 'late', editedAt: null })
  expect(late).toMatchObject({ status: 409, code: 'edit_conflict' })
  expect((await bob.put(`/api/messages/${message.id}`, { content: 'not mine' })).status).toBe(403)
  expect(await stored(message)).toEqual([1])
  await edit(message, 'one', { editedAt: second.editedAt })
  expect(await contents(message)).toEqual(['one', 'two', 'one'])
})

test('of many versions the first and the latest are kept, and they come in pages', async () => {
  const { kept, page } = limits.versions
  const message = await newMessage('1')
  for (let n = 2; n <= kept + 4; n++) await edit(message, `${n}`)
  const numbers = [1, ...Array.from({ length: kept - 1 }, (_, n) => n + 5)]
  expect(await stored(message)).toEqual(numbers)
  const all: MessageVersion[] = []
  for (let before: number | undefined; ; ) {
    const { versions, next } = await read(bob, message, before)
    expect(versions.length).toBeLessThanOrEqual(page)
    all.push(...versions)
    if (next === null) break
    before = next
  }
  expect(all.map(({ number }) => number)).toEqual([kept + 4, ...numbers.reverse()])
  for (const { number, content } of all) expect(content).toBe(`${number}`)
})

test('a page of the longest texts is about half a megabyte', async () => {
  const text = (n: number) => `${n}`.padEnd(limits.messageContent, '漢')
  const message = await newMessage(text(1))
  for (let n = 2; n <= limits.versions.page + 1; n++) await edit(message, text(n))
  const { body } = await bob.get(url(message))
  expect(body.versions).toHaveLength(limits.versions.page)
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(2 ** 20)
})

test('edits at the same time keep each text that was shown, once', async () => {
  const message = await newMessage()
  await Promise.all(['a', 'b', 'c', 'd'].map((content) => edit(message, content)))
  expect((await contents(message)).toSorted()).toEqual(['a', 'b', 'c', 'd', 'one'])
})

test('a deleted message has no versions, nor has its tombstone', async () => {
  const message = await newMessage()
  await edit(message, 'two')
  expect((await ada.delete(`/api/messages/${message.id}`)).status).toBe(204)
  expect(await stored(message)).toEqual([])
  const answer = await bob.get(url(message))
  expect(answer).toMatchObject({ status: 404, code: 'not_found' })
  expect(answer.body.error.reason).toBe('messageDeleted')
})

test('the versions that a node of an earlier version left at a tombstone are not shown', async () => {
  const message = await newMessage()
  await edit(message, 'two')
  await sql`update messages set content = '', "deletedAt" = now() where id = ${message.id}`.execute(db)
  expect((await bob.get(url(message))).status).toBe(404)
})

test('retention and the purge of a deleted channel remove versions', async () => {
  const old = await newMessage()
  await edit(old, 'two')
  await sql`update messages set "createdAt" = now() - interval '60 days' where id = ${old.id}`.execute(db)
  expect((await olga.put('/api/retention', { days: 30 })).status).toBe(200)
  parley.app.retention.wake()
  await expect.poll(() => stored(old), { timeout: STATE_TIMEOUT_MS }).toEqual([])
  await olga.put('/api/retention', { days: null })

  const gone = await newMessage()
  await edit(gone, 'two')
  expect((await ada.delete(`/api/channels/${gone.channelId}`)).status).toBe(204)
  expect((await bob.get(url(gone))).status).toBe(404)
  while (await purgeOnce(db, 0));
  expect(await stored(gone)).toEqual([])
})

test('only the owner and admins turn the history off; then versions are neither kept nor shown', async () => {
  const message = await newMessage()
  await edit(message, 'two')
  expect(await keep(false, ada)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await keep(false)).toMatchObject({ status: 200, body: { isOn: false } })
  const answer = await bob.get(url(message))
  expect(answer).toMatchObject({ status: 404, code: 'not_found' })
  expect(answer.body.error.reason).toBe('noEditHistory')
  await edit(message, 'three')
  await edit(message, 'four')
  await keep(true)
  await edit(message, 'five')
  expect(await contents(message)).toEqual(['five', 'four', 'one'])
})

test('each change is in the audit log once', async () => {
  await keep(true)
  await keep(false)
  await keep(true)
  const { entries } = (await olga.get('/api/audit?kind=edit_history_changed&limit=2')).body
  expect(entries).toMatchObject([
    { actor: { id: olga.id }, details: { to: 'on' } },
    { actor: { id: olga.id }, details: { to: 'off' } },
  ])
  await keep(true)
  expect((await olga.get('/api/audit?kind=edit_history_changed&limit=1')).body.entries[0].id).toBe(entries[0].id)
})

test('open pages refetch their session after a change, on every node', async () => {
  const other = await serve(parley.databaseUrl)
  const sockets = [await bob.listen(), await listen(other.address, eve.token)]
  await keep(false)
  for (const socket of sockets) await socket.waitFor('permissions:changed')
  await keep(true)
})

test('a position that cannot be is refused', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'positions' })
  const message = await ada.say(channel.id, 'one')
  await ada.put(`/api/messages/${message.id}`, { content: 'two' })
  for (const before of ['0', '2147483648', '9007199254740991'])
    expect((await ada.get(`/api/messages/${message.id}/versions?before=${before}`)).status).toBe(400)
})
