import fc from 'fast-check'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import type { Channel, ReadCursor } from '#contract/channels'
import { slowTries, times } from '#contract/test/properties'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')

let made = 0
/** A public channel of Ada's with Bob and Cyd, but not Eve, and this many messages of Ada's. */
async function newChannel(messages = 0): Promise<string> {
  const { body } = await ada.post('/api/channels', { name: `reading-${made++}`, members: [bob.id, cyd.id] })
  for (let n = 1; n <= messages; n++) await ada.say(body.id, `message ${n}`)
  return body.id
}

/** A user's read state of a channel; expects the list and the channel itself to agree. */
async function cursorOf(person: Person, channelId: string) {
  const pick = ({ lastReadSeq, readVersion, unread, mentions }: Channel) => ({
    lastReadSeq,
    readVersion,
    unread,
    mentions,
  })
  const { body: one } = await person.get(`/api/channels/${channelId}`)
  const { channels, directMessages } = (await person.get('/api/channels?limit=100')).body
  const listed = [...channels, ...directMessages].find(({ id }: Channel) => id === channelId)
  expect(pick(listed)).toEqual(pick(one))
  return pick(one)
}

const read = (person: Person, channelId: string, body: object) => person.put(`/api/channels/${channelId}/read`, body)

test('unread counts the messages since the last read', async () => {
  const id = await newChannel(3)
  expect(await cursorOf(bob, id)).toEqual({ lastReadSeq: 0, readVersion: 0, unread: 3, mentions: 0 })
  const answer = await read(bob, id, { seq: 2 })
  expect(answer).toMatchObject({ status: 200, body: { lastReadSeq: 2, readVersion: 0, unread: 1, mentions: 0 } })
  expect(answer.body).toEqual({ ...(await cursorOf(bob, id)), rev: (await bob.get(`/api/channels/${id}`)).body.rev })
  expect(await cursorOf(cyd, id)).toMatchObject({ lastReadSeq: 0, unread: 3 })
})

test('sending a message marks it and everything before it as read', async () => {
  const id = await newChannel(2)
  expect(await cursorOf(ada, id)).toMatchObject({ lastReadSeq: 2, unread: 0 })
  await bob.say(id, 'and I')
  expect(await cursorOf(bob, id)).toMatchObject({ lastReadSeq: 3, unread: 0 })
  expect(await cursorOf(ada, id)).toMatchObject({ lastReadSeq: 2, unread: 1 })
})

test('a read cursor moves forward only, and never beyond the last message', async () => {
  const id = await newChannel(3)
  const cursorAfter = async (seq: number) => (await read(bob, id, { seq })).body.lastReadSeq
  expect(await cursorAfter(2)).toBe(2)
  expect(await cursorAfter(1)).toBe(2)
  expect(await cursorAfter(0)).toBe(2)
  expect(await cursorAfter(Number.MAX_SAFE_INTEGER)).toBe(3)
  await ada.say(id, 'one more')
  expect(await cursorOf(bob, id)).toMatchObject({ lastReadSeq: 3, unread: 1 })
  expect((await Promise.all([3, 1, 4, 2].map(cursorAfter))).toSorted().at(-1)).toBe(4)
  expect(await cursorOf(bob, id)).toMatchObject({ lastReadSeq: 4, unread: 0 })
})

test('marking as unread wins over an earlier read in flight, and yields to a later read', async () => {
  const id = await newChannel(5)
  const { readVersion: before } = (await read(bob, id, { seq: 5 })).body as ReadCursor
  const { body: marked } = await read(bob, id, { seq: 3, unread: true, readVersion: before })
  const { rev, ...cursor } = marked
  expect(cursor).toEqual({ lastReadSeq: 2, readVersion: before + 1, unread: 3, mentions: 0 })
  expect(rev).toBe((await bob.get(`/api/channels/${id}`)).body.rev)
  expect((await read(bob, id, { seq: 5, readVersion: before })).body).toEqual(marked)
  expect(await cursorOf(bob, id)).toEqual(cursor)
  await ada.say(id, 'six')
  expect((await read(bob, id, { seq: 5, readVersion: before })).body).toMatchObject({ lastReadSeq: 2, unread: 4 })
  expect((await read(bob, id, { seq: 4, readVersion: before + 1 })).body).toMatchObject({ lastReadSeq: 4, unread: 2 })
  expect((await read(bob, id, { seq: 6 })).body).toMatchObject({ lastReadSeq: 6, readVersion: before + 1, unread: 0 })
})

test('any message can be marked as unread, and sending clears it', async () => {
  const id = await newChannel(4)
  const unreadFrom = async (seq: number) => (await read(bob, id, { seq, unread: true })).body.unread
  expect(await unreadFrom(1)).toBe(4)
  expect(await unreadFrom(4)).toBe(1)
  expect(await unreadFrom(2)).toBe(3)
  expect(await unreadFrom(0)).toBe(4)
  expect(await unreadFrom(99)).toBe(0)
  expect(await unreadFrom(3)).toBe(2)
  await bob.say(id, 'never mind')
  expect(await cursorOf(bob, id)).toMatchObject({ lastReadSeq: 5, readVersion: 6, unread: 0 })
})

test('a read cursor is published to one’s own sockets only and changes no revision', async () => {
  const id = await newChannel(2)
  const { rev } = (await ada.get(`/api/channels/${id}`)).body
  const [phone, laptop, hers] = [await bob.listen(), await bob.listen(), await ada.listen()]
  const { body: cursor } = await read(bob, id, { seq: 1 })
  for (const own of [phone, laptop])
    expect(await own.waitFor('channel:read', (it) => it.channelId === id)).toEqual({ ...cursor, channelId: id })
  const { body: marked } = await read(bob, id, { seq: 1, unread: true })
  await phone.waitFor('channel:read', (it) => it.readVersion === marked.readVersion && it.unread === 2)
  await bob.say(id, 'seen')
  await hers.waitFor('message:created', (it) => it.channelId === id)
  expect(hers.all('channel:read')).toEqual([])
  expect((await ada.get(`/api/channels/${id}`)).body.rev).toBe(rev + 1)
})

test('a non-member has no read cursor and cannot set one', async () => {
  const id = await newChannel(1)
  expect(await read(eve, id, { seq: 1 })).toMatchObject({ status: 403, code: 'not_a_member' })
  const { body: seen } = await eve.get(`/api/channels/${id}`)
  for (const own of ['unread', 'mentions', 'lastReadSeq', 'readVersion', 'muted']) expect(seen).not.toHaveProperty(own)
  const { body: hidden } = await ada.post('/api/channels', { name: 'reading-hidden', isPrivate: true })
  for (const channelId of [hidden.id, uuid()])
    expect(await read(eve, channelId, { seq: 1 })).toMatchObject({ status: 404, code: 'not_found' })
})

test.each([{}, { seq: -1 }, { seq: 1.5 }, { seq: '1' }, { seq: null }, { seq: 1, unread: 1 }, { seq: 1e300 }])(
  'reading %j is refused',
  async (body) => {
    const id = await newChannel(1)
    expect(await read(bob, id, body)).toMatchObject({ status: 400, code: 'invalid' })
  },
)

test('new members start with everything read', async () => {
  const id = await newChannel(3)
  await eve.post(`/api/channels/${id}/join`)
  expect(await cursorOf(eve, id)).toMatchObject({ lastReadSeq: 3, unread: 0 })
  await eve.post(`/api/channels/${id}/leave`)
  await ada.say(id, '@channel while you were away')
  await bob.post(`/api/channels/${id}/invite`, { userId: eve.id })
  expect(await cursorOf(eve, id)).toMatchObject({ lastReadSeq: 4, unread: 0, mentions: 0 })
  await ada.say(id, 'welcome')
  expect(await cursorOf(eve, id)).toMatchObject({ lastReadSeq: 4, unread: 1 })
})

test('read cursors work the same in direct messages', async () => {
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  await ada.say(direct.id, 'psst @bob')
  expect(await cursorOf(bob, direct.id)).toMatchObject({ unread: 1, mentions: 1 })
  expect((await read(bob, direct.id, { seq: 1 })).body).toMatchObject({ unread: 0, mentions: 0 })
  expect(await read(eve, direct.id, { seq: 1 })).toMatchObject({ status: 404 })
})

test('muting is published to one’s own sockets only, and unread counts continue', async () => {
  const id = await newChannel()
  const [own, hers] = [await bob.listen(), await ada.listen()]
  const isMuted = async (person: Person) => (await person.get(`/api/channels/${id}`)).body.muted
  expect(await isMuted(bob)).toBe(false)
  for (const muted of [true, false]) {
    const url = `/api/channels/${id}/mute`
    const set = () => (muted ? bob.put(url, {}) : bob.delete(url))
    expect(await set()).toMatchObject({ status: 204, body: undefined })
    expect((await set()).status).toBe(204)
    expect(await own.waitFor('channel:muted', (it) => it.muted === muted)).toEqual({ channelId: id, muted })
    expect([await isMuted(bob), await isMuted(ada)]).toEqual([muted, false])
    await ada.say(id, '@bob')
  }
  expect(await cursorOf(bob, id)).toMatchObject({ unread: 2, mentions: 2 })
  expect(await eve.put(`/api/channels/${id}/mute`, {})).toMatchObject({ status: 403, code: 'not_a_member' })
  expect(hers.all('channel:muted')).toEqual([])
})

type Call = 'nobody' | 'bob' | 'channel'
const texts: Record<Call, string> = { nobody: 'hello', bob: '@bob', channel: '@channel' }

/** A model of Bob's cursor, one line per rule, and of the state that his two devices have of it. */
class Model {
  said: { id: string; author: Person; counts: boolean }[] = []
  held = [0, 0]
  isMember = true
  lastReadSeq = 0
  readVersion = 0

  calls = (call: Call) => call === 'channel' || (call === 'bob' && this.isMember)
  say(id: string, author: Person, call: Call) {
    this.said.push({ id, author, counts: author !== bob && this.calls(call) })
    if (author === bob) this.lastReadSeq = this.said.length
  }
  read(seq: number, held: number) {
    if (held >= this.readVersion) this.lastReadSeq = Math.max(this.lastReadSeq, Math.min(seq, this.said.length))
  }
  markUnread(seq: number) {
    this.lastReadSeq = Math.min(Math.max(seq - 1, 0), this.said.length)
    this.readVersion++
  }
  /** A new membership is newer than any device's state of an earlier one. */
  enter(rev: number) {
    Object.assign(this, { isMember: true, lastReadSeq: this.said.length, readVersion: rev })
  }
  get cursor() {
    const unread = this.said.slice(this.lastReadSeq)
    const mentions = unread.filter(({ counts }) => counts).length
    return { lastReadSeq: this.lastReadSeq, readVersion: this.readVersion, unread: unread.length, mentions }
  }
}

interface Step {
  act: keyof typeof acts
  by: number
  device: number
  place: number
  call: Call
}

const acts = {
  async say(id: string, model: Model, { by, call }: Step) {
    const author = [ada, cyd, bob][by] as Person
    if (author !== bob || model.isMember) model.say((await author.say(id, texts[call])).id, author, call)
  },
  async read(id: string, model: Model, { device, place: seq }: Step) {
    const readVersion = model.held[device] as number
    const { status, body } = await read(bob, id, { seq, readVersion })
    if (!model.isMember) return expect(status).toBe(403)
    model.read(seq, readVersion)
    expect(body).toEqual({ ...model.cursor, rev: expect.any(Number) })
  },
  async markUnread(id: string, model: Model, { device, place: seq }: Step) {
    const { status, body } = await read(bob, id, { seq, unread: true, readVersion: model.held[device] as number })
    if (!model.isMember) return expect(status).toBe(403)
    model.markUnread(seq)
    model.held[device] = body.readVersion
    expect(body).toEqual({ ...model.cursor, rev: expect.any(Number) })
  },
  async look(_: string, model: Model, { device }: Step) {
    model.held[device] = model.readVersion
  },
  async edit(_: string, model: Model, { place, call }: Step) {
    const message = model.said[place]
    if (!message || (message.author === bob && !model.isMember)) return
    const { status } = await message.author.put(`/api/messages/${message.id}`, { content: texts[call] })
    if (status === 200) message.counts = message.author !== bob && model.calls(call)
  },
  async remove(_: string, model: Model, { place }: Step) {
    const message = model.said[place]
    if (!message || (message.author === bob && !model.isMember)) return
    expect((await message.author.delete(`/api/messages/${message.id}`)).status).toBe(204)
    message.counts = false
  },
  async comeAndGo(id: string, model: Model) {
    const { status, body } = await bob.post(`/api/channels/${id}/${model.isMember ? 'leave' : 'join'}`)
    expect(status).toBe(model.isMember ? 204 : 200)
    if (model.isMember) model.isMember = false
    else model.enter(body.rev - 1)
  },
}

const steps = (['say', 'say', 'say', 'read', 'read', 'markUnread', 'look', 'edit', 'remove', 'comeAndGo'] as const).map(
  (act) =>
    fc.record<Step>({
      act: fc.constant(act),
      by: fc.nat({ max: 2 }),
      device: fc.nat({ max: 1 }),
      place: fc.nat({ max: 9 }),
      call: fc.constantFrom('nobody', 'bob', 'channel'),
    }),
)

test('any sequence of actions on two devices and by three people leaves the cursor a model predicts', {
  timeout: times(240_000),
}, async () => {
  const history = fc.array(fc.oneof(...steps), { minLength: 5, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const id = await newChannel()
      const model = new Model()
      for (const step of steps) await acts[step.act](id, model, step)
      expect(await cursorOf(bob, id)).toEqual(model.isMember ? model.cursor : {})
      // The list is limited to a hundred.
      expect((await ada.delete(`/api/channels/${id}`)).status).toBe(204)
    }),
    slowTries(50),
  )
})
