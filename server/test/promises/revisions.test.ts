import { v7 as uuid } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import type { Changes } from '#contract/changes'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { addMember, publishMemberJoined } from '../../channels/memberships.ts'
import { openDatabase } from '../../db/database.ts'
import { createWriter } from '../../messages/writer.ts'
import { readPage, rewriteAs } from '../support/message-calls.ts'
import { type Person, startParley } from '../support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')

afterAll(() => parley.stop())

let made = 0
/** A channel of Bob's with Ada in it; private by default, so that Eve is an outsider. */
async function newChannel(isPrivate = true): Promise<Channel> {
  const { body } = await bob.post('/api/channels', { name: `keystone-${made++}`, isPrivate })
  await letIn(ada, body.id)
  const { body: channel } = await bob.get(`/api/channels/${body.id}`)
  expect((await eve.get(`/api/channels/${channel.id}`)).status).toBe(isPrivate ? 404 : 200)
  return channel
}

const letIn = ({ id }: Person, channelId: string) =>
  parley.app.writer.change(
    channelId,
    (tx) => addMember(tx, channelId, id),
    (joined) => publishMemberJoined(parley.app, channelId, id, joined),
  )

const as = (person: Person, method: 'PUT' | 'DELETE', id: string, payload?: object) =>
  rewriteAs(person, parley.address, method, id, payload)

const page = (person: Person, channelId: string, { query = '', etag = '' } = {}) =>
  readPage(person, `${parley.address}/api/messages/channel/${channelId}${query}`, etag)

const changesAfter = async (channelId: string, after: number): Promise<Changes> =>
  (await ada.get(`/api/channels/${channelId}/changes?after=${after}`)).body

const revOf = async (channelId: string): Promise<number> => (await ada.get(`/api/channels/${channelId}`)).body.rev

test('a page has the same bytes for every reader, is cached until a change, and refused to outsiders', async () => {
  const { id } = await newChannel()
  const sent: Message = await ada.say(id, 'first')
  const tags = new Set<string>()
  async function expectFresh(rev: number) {
    const [hers, his] = await Promise.all([page(ada, id), page(bob, id)])
    expect(his).toEqual(hers)
    expect(hers).toMatchObject({ status: 200, rev })
    expect(tags).not.toContain(hers.etag)
    tags.add(hers.etag)
    expect(await page(bob, id, { etag: hers.etag })).toEqual({ status: 304, etag: hers.etag, rev, text: '' })
    for (const etag of tags) expect(await page(eve, id, { etag })).toMatchObject({ status: 404, etag: '' })
    for (const etag of tags) if (etag !== hers.etag) expect((await page(bob, id, { etag })).status).toBe(200)
    return JSON.parse(hers.text) as Message[]
  }
  expect(await expectFresh(sent.rev)).toEqual([sent])
  const { body: edited } = await as(ada, 'PUT', sent.id, { content: 'edited' })
  expect(await expectFresh(sent.rev + 1)).toEqual([edited])
  await letIn(cyd, id)
  expect(await expectFresh(sent.rev + 2)).toEqual([edited])
  const second = await bob.say(id, 'second')
  expect(await expectFresh(sent.rev + 3)).toEqual([edited, second])
  await as(ada, 'DELETE', sent.id)
  expect(await expectFresh(sent.rev + 4)).toMatchObject([{ id: sent.id, content: '', rev: sent.rev + 4 }, second])
})

test('only its author edits a message, and not after deletion', async () => {
  const { id } = await newChannel()
  const sent: Message = await ada.say(id, 'draft')
  const content = 'done'
  const edited = await as(ada, 'PUT', sent.id, { content: ' done ' })
  expect(edited).toMatchObject({
    status: 200,
    body: { ...sent, content, rev: sent.rev + 1, editedAt: expect.any(String), updatedAt: expect.any(String) },
  })
  expect(Date.parse(edited.body.editedAt)).toBeGreaterThanOrEqual(Date.parse(sent.createdAt))
  expect(await as(bob, 'PUT', sent.id, { content })).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await as(eve, 'PUT', sent.id, { content })).toMatchObject({ status: 404, code: 'not_found' })
  expect(await as(ada, 'PUT', uuid(), { content })).toMatchObject({ status: 404, code: 'not_found' })
  expect(await as(ada, 'PUT', sent.id, { content: ' ' })).toMatchObject({ status: 400, code: 'invalid' })
  expect((await as(ada, 'DELETE', sent.id)).status).toBe(204)
  expect(await as(ada, 'PUT', sent.id, { content })).toMatchObject({ status: 409, code: 'deleted' })
  expect(await revOf(id)).toBe(sent.rev + 2)
})

test('only its author, the channel’s owner and the workspace’s admins delete a message', async () => {
  const { id } = await newChannel()
  await letIn(cyd, id)
  const [first, second, third, fourth]: Message[] = await Promise.all([1, 2, 3, 4].map((n) => cyd.say(id, `n${n}`)))
  const his = await bob.say(id, 'mine')
  const remove = async (person: Person, message: Message | undefined) =>
    (await as(person, 'DELETE', message?.id ?? '')).status
  expect(await remove(eve, first)).toBe(404)
  expect(await remove(cyd, his)).toBe(403)
  expect(await remove(cyd, first)).toBe(204)
  expect(await remove(bob, second)).toBe(204)
  expect(await remove(ada, third)).toBe(204)
  await parley.app.db.updateTable('users').set({ role: 'admin' }).where('id', '=', cyd.id).execute()
  expect(await remove(cyd, his)).toBe(204)
  await parley.app.db.updateTable('users').set({ role: 'member' }).where('id', '=', cyd.id).execute()
  const before = await revOf(id)
  expect(await remove(cyd, first)).toBe(204)
  expect(await revOf(id)).toBe(before)
  const left: Message[] = JSON.parse((await page(ada, id)).text)
  expect(left.map(({ seq, deletedAt }) => `${seq} ${deletedAt === null}`)).toEqual(
    [1, 2, 3, 4, 5].map((seq) => `${seq} ${seq === fourth?.seq}`),
  )
})

test('a deleted message leaves only its place, on pages, in changes and in events', async () => {
  const { id } = await newChannel()
  const listener = await bob.listen()
  const before = await revOf(id)
  const sent: Message = await ada.say(id, 'a secret that slipped out', 'slip')
  await as(ada, 'PUT', sent.id, { content: 'still that secret' })
  await as(ada, 'DELETE', sent.id)
  const tombstone = await listener.waitFor('message:deleted', (it) => it.id === sent.id)
  expect(tombstone).toMatchObject({ seq: sent.seq, content: '', deletedAt: expect.any(String), rev: sent.rev + 2 })
  expect(JSON.parse((await page(bob, id)).text)).toEqual([tombstone])
  expect(await changesAfter(id, before)).toEqual({ rev: sent.rev + 2, messages: [tombstone] })
  const repeated = await ada.post('/api/messages', { channelId: id, content: 'a secret', clientId: 'slip' })
  expect(repeated).toMatchObject({ status: 200, body: tombstone })
})

test('every change takes one rev and publishes one event, in order', async () => {
  const { id } = await newChannel(false)
  const listener = await bob.listen()
  const sent: Message[] = await Promise.all(Array.from({ length: 20 }, (_, n) => ada.say(id, `said ${n}`)))
  const start = (await revOf(id)) - sent.length
  await Promise.all([
    ...sent.slice(0, 10).map((it) => as(ada, 'PUT', it.id, { content: 'edited' })),
    ...sent.slice(5, 15).map((it) => as(bob, 'DELETE', it.id)),
    ...sent.slice(0, 10).map((it) => ada.say(id, `more ${it.seq}`)),
    eve.post(`/api/channels/${id}/join`),
    cyd.post(`/api/channels/${id}/join`),
  ])
  const end = await revOf(id)
  const revs = () =>
    listener.events
      .filter(({ event }) => /^message:|^channel:member_joined/.test(event))
      .map(({ payload }) => payload as { channelId: string; rev: number })
      .filter(({ channelId }) => channelId === id)
      .map(({ rev }) => rev)
  await expect.poll(() => revs().at(-1)).toBe(end)
  expect(revs()).toEqual(Array.from({ length: end - start }, (_, i) => start + i + 1))
})

test('changes after a rev contain exactly the changed messages, and the channel only if it changed itself', async () => {
  const { id } = await newChannel()
  const [one, two]: Message[] = [await ada.say(id, 'one'), await ada.say(id, 'two')]
  const rev = await revOf(id)
  expect(await changesAfter(id, rev)).toEqual({ rev, messages: [] })
  const three = await bob.say(id, 'three')
  const { body: edited } = await as(ada, 'PUT', one?.id ?? '', { content: 'one, edited' })
  expect(await changesAfter(id, rev)).toEqual({ rev: rev + 2, messages: [three, edited] })
  await letIn(cyd, id)
  const { body: channel } = await ada.get(`/api/channels/${id}`)
  expect(channel).toMatchObject({ rev: rev + 3, _count: { members: 3 } })
  expect(await changesAfter(id, rev + 2)).toEqual({ rev: rev + 3, messages: [], channel })
  expect(await changesAfter(id, 0)).toEqual({ rev: rev + 3, messages: [two, three, edited], channel })
  expect(await changesAfter(id, rev + 4)).toEqual({ rev: rev + 3, reload: true })
  expect(await eve.get(`/api/channels/${id}/changes?after=0`)).toMatchObject({ status: 404, code: 'not_found' })
  for (const after of ['', '-1', 'x', '1.5'])
    expect((await ada.get(`/api/channels/${id}/changes?after=${after}`)).status).toBe(after === '' ? 200 : 400)
})

test('too many changes answer reload', async () => {
  const { id } = await newChannel()
  const rev = await revOf(id)
  const say = (n: number) => parley.app.writer.send({ channelId: id, userId: ada.id, content: `${n}`, clientId: null })
  const epoch = (await sync(ada, {}, '')).epoch
  const count = async (changes: Promise<Changes>) => {
    const answer = await changes
    return 'reload' in answer ? 'reload' : answer.messages.length
  }
  const synced = async () => (await sync(ada, { [id]: rev }, epoch)).channels[id] as Changes
  await Promise.all(Array.from({ length: limits.changes.each }, (_, n) => say(n)))
  expect(await count(synced())).toBe(limits.changes.each)
  await Promise.all(Array.from({ length: limits.changes.one - limits.changes.each }, (_, n) => say(n)))
  expect(await count(changesAfter(id, rev))).toBe(limits.changes.one)
  expect(await synced()).toEqual({ rev: rev + limits.changes.one, reload: true })
  await say(0)
  expect(await changesAfter(id, rev)).toEqual({ rev: rev + limits.changes.one + 1, reload: true })
})

const sync = async (person: Person, revs: Record<string, number>, epoch: string) =>
  (await person.post('/api/sync', { epoch, revs })).body as {
    epoch: string
    channels: Record<string, Changes>
    gone: string[]
  }

test('a sync returns changed and deleted messages, and nothing else', async () => {
  const [still, moved, joined, theirs] = (await Promise.all([1, 2, 3, 4].map(() => newChannel()))) as [
    Channel,
    Channel,
    Channel,
    Channel,
  ]
  const { body: hidden } = await eve.post('/api/channels', { name: 'eves-own', isPrivate: true })
  const epoch = (await sync(ada, {}, '')).epoch
  const sent = await bob.say(moved.id, 'you were away')
  await letIn(cyd, joined.id)
  await bob.say(theirs.id, 'not asked for')
  const unknown = uuid()
  const revs = { [still.id]: still.rev, [moved.id]: moved.rev, [joined.id]: joined.rev, [hidden.id]: 1, [unknown]: 0 }
  const answer = await sync(ada, revs, epoch)
  const { body: channel } = await ada.get(`/api/channels/${joined.id}`)
  expect(answer).toEqual({
    epoch,
    channels: {
      [moved.id]: { rev: sent.rev, messages: [sent] },
      [joined.id]: { rev: joined.rev + 1, messages: [], channel },
    },
    gone: expect.toSatisfy((ids: string[]) => ids.toSorted().join() === [hidden.id, unknown].toSorted().join()),
  })
  expect(await sync(ada, { [still.id]: still.rev + 7 }, epoch)).toEqual({
    epoch,
    channels: { [still.id]: { rev: still.rev, reload: true } },
    gone: [],
  })
  expect(await sync(ada, revs, uuid())).toEqual({ epoch, channels: {}, gone: [] })
})

test('an oversized or malformed sync is refused', async () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, () => [uuid(), 0]))
  const epoch = (await sync(ada, {}, '')).epoch
  expect((await ada.post('/api/sync', { epoch, revs: many(limits.syncedChannels) })).status).toBe(200)
  for (const revs of [many(limits.syncedChannels + 1), { x: 0 }, { [uuid()]: -1 }, { [uuid()]: '1' }, [], null])
    expect(await ada.post('/api/sync', { epoch, revs })).toMatchObject({ status: 400, code: 'invalid' })
})

test('a page around a message extends to both sides, within its channel', async () => {
  const { id } = await newChannel()
  const sent: Message[] = []
  for (let n = 1; n <= 9; n++) sent.push(await ada.say(id, `${n}`))
  const around = async (message: Message | undefined, limit = 4) =>
    JSON.parse((await page(bob, id, { query: `?limit=${limit}&around=${message?.id}` })).text).map(
      (it: Message) => it.seq,
    )
  expect(await around(sent[4])).toEqual([4, 5, 6, 7])
  expect(await around(sent[4], 5)).toEqual([3, 4, 5, 6, 7])
  expect(await around(sent[0])).toEqual([1, 2, 3])
  expect(await around(sent[8])).toEqual([8, 9])
  expect(await around(sent[4], 1)).toEqual([5])
  const elsewhere = await ada.say((await newChannel()).id, 'elsewhere')
  for (const it of [elsewhere.id, uuid()]) expect((await page(bob, id, { query: `?around=${it}` })).status).toBe(404)
  expect((await page(eve, id, { query: `?around=${sent[4]?.id}` })).status).toBe(404)
  expect((await page(bob, id, { query: '?around=x' })).status).toBe(400)
})

test('changes stored by another process without an event reach members within five seconds, and no one else', async () => {
  const { id } = await newChannel()
  const open = await newChannel(false)
  const listeners = await Promise.all([ada, bob].map((person) => person.listen()))
  const outsider = await eve.listen()
  // The process dies between commit and publish.
  const database = openDatabase(parley.databaseUrl, { onError: () => {} })
  const killed = createWriter({ ...database, log: parley.app.log, publish: async () => {}, removals: { note() {} } })
  const lost = await Promise.all(
    [id, open.id].map((channelId) => killed.send({ channelId, userId: ada.id, content: 'lost', clientId: null })),
  )
  await database.db.destroy()
  for (const {
    message: { channelId, rev },
  } of lost) {
    for (const listener of listeners) {
      const come = await listener.waitFor('channel:rev', (it) => it.channelId === channelId)
      expect(come).toEqual({ channelId, rev, seq: expect.any(Number) })
    }
    expect(await changesAfter(channelId, rev - 1)).toMatchObject({ messages: [{ content: 'lost' }] })
  }
  for (const { message } of lost) expect(JSON.stringify(outsider.events)).not.toContain(message.channelId)
  const next = await bob.say(id, 'and on it goes')
  expect(next.rev).toBe((lost[0]?.message.rev ?? 0) + 1)
})

test('a ready socket knows the epoch of its database', async () => {
  const { epoch } = await sync(eve, {}, '')
  expect(epoch).toMatch(/^[0-9a-f-]{36}$/)
  expect((await eve.listen()).all('ready')).toEqual([expect.objectContaining({ epoch })])
})
