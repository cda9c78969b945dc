import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')

let made = 0
/** A channel of Ada's with Bob and Cyd, but not Eve. */
async function newChannel(isPrivate = true): Promise<string> {
  const members = [bob.id, cyd.id]
  const { body } = await ada.post('/api/channels', { name: `mentions-${made++}`, isPrivate, members })
  expect(body._count.members).toBe(3)
  return body.id
}

const cursorOf = async (person: Person, channelId: string): Promise<Channel> =>
  (await person.get(`/api/channels/${channelId}`)).body

/** Unread mentions of Ada, Bob and Cyd. */
const counted = async (channelId: string) =>
  (await Promise.all([ada, bob, cyd].map((person) => cursorOf(person, channelId)))).map(({ mentions }) => mentions)

const mention = ({ id: userId, username }: Person) => ({ userId, username })

const edit = (person: Person, { id }: Message, content: string) => person.put(`/api/messages/${id}`, { content })

test('a named member is mentioned in the response, the event, the page and their count', async () => {
  const id = await newChannel()
  const listener = await cyd.listen()
  const sent: Message = await ada.say(id, 'ask @bob')
  expect(sent).toMatchObject({ mentions: [mention(bob)], broadcast: null })
  expect(await listener.waitFor('message:created', (message) => message.id === sent.id)).toEqual(sent)
  expect((await cyd.get(`/api/messages/channel/${id}`)).body).toEqual([sent])
  expect(await counted(id)).toEqual([0, 1, 0])
  const listed: Channel[] = (await bob.get('/api/channels?limit=100')).body.channels
  expect(listed.find((channel) => channel.id === id)).toMatchObject({ mentions: 1, unread: 1 })
})

test.each([
  ['Hello @BOB, and (@Cyd)!', () => [bob, cyd]],
  ['@bob @Bob @bob.', () => [bob]],
  ['bob@example.com', () => []],
  ['`@bob` and\n```\n@cyd\n```', () => []],
  ['@eve', () => []],
  ['@nobody @constructor @__proto__', () => []],
  ['@bobby', () => []],
])('%j', async (text, whom) => {
  const id = await newChannel()
  const { status, body } = await ada.post('/api/messages', { channelId: id, content: text })
  expect(status).toBe(201)
  expect(body).toMatchObject({ content: text, mentions: whom().map(mention), broadcast: null })
  expect(await counted(id)).toEqual([0, whom().includes(bob) ? 1 : 0, whom().includes(cyd) ? 1 : 0])
})

test('if a mention matches two names, the longer existing one wins', async () => {
  const [ann, short] = [await parley.person('ann'), await parley.person('ann-m')]
  // No e-mail address ends like this.
  ann.username = (await ann.patch('/api/users/me', { username: 'ann-m.' })).body.username
  const members = [ann.id, short.id, bob.id]
  const { body: channel } = await ada.post('/api/channels', { name: 'longer', isPrivate: true, members })
  expect((await ada.say(channel.id, 'hi @ann-m.')).mentions).toEqual([mention(ann)])
  expect((await ada.say(channel.id, 'hi @ann-m')).mentions).toEqual([mention(short)])
  expect((await ada.say(channel.id, 'hi @bob.')).mentions).toEqual([mention(bob)])
  expect((await ada.say(channel.id, 'hi @bob.-_')).mentions).toEqual([mention(bob)])
})

test('a non-member is not mentioned, even if they may read; a member is', async () => {
  const id = await newChannel(false)
  expect((await ada.say(id, 'look @eve')).mentions).toEqual([])
  await eve.post(`/api/channels/${id}/join`)
  expect((await cursorOf(eve, id)).mentions).toBe(0)
  expect((await ada.say(id, 'welcome @eve')).mentions).toEqual([mention(eve)])
  expect((await cursorOf(eve, id)).mentions).toBe(1)
  await eve.post(`/api/channels/${id}/leave`)
  expect(await cursorOf(eve, id)).not.toHaveProperty('mentions')
  expect((await ada.say(id, 'bye @eve')).mentions).toEqual([])
})

test.each(['@channel', '@everyone', '@all', '@CHANNEL!'])('%s mentions all members except its author', async (call) => {
  const id = await newChannel()
  const sent = await bob.say(id, `${call} lunch`)
  expect(sent).toMatchObject({ mentions: [], broadcast: 'channel' })
  expect(await counted(id)).toEqual([1, 0, 1])
})

test('@here mentions the members who are online when it is sent, permanently', async () => {
  const [dan, fay] = [await parley.person('dan'), await parley.person('fay')]
  const members = [dan.id, fay.id]
  const { body: channel } = await ada.post('/api/channels', { name: 'here', isPrivate: true, members })
  const counts = async () =>
    (await Promise.all([ada, dan, fay].map((person) => cursorOf(person, channel.id)))).map(({ mentions }) => mentions)
  const listener = await dan.listen()
  const sent: Message = await ada.say(channel.id, '@here coffe')
  expect(sent).toMatchObject({ mentions: [], broadcast: 'here' })
  listener.socket.emit('status:update', 'offline')
  await expect.poll(() => parley.app.presence.statusOf(dan.id)).toBe('offline')
  await fay.listen()
  expect(await counts()).toEqual([0, 1, 0])
  expect((await edit(ada, sent, '@here coffee')).body.broadcast).toBe('here')
  expect(await counts()).toEqual([0, 1, 0])
  await edit(ada, sent, '@channel coffee')
  expect(await counts()).toEqual([0, 1, 1])
  await edit(ada, sent, '@here coffee')
  expect(await counts()).toEqual([0, 0, 1])
  await edit(ada, sent, 'coffee')
  expect(await counts()).toEqual([0, 0, 0])
})

test('@here reaches members who are there: not idle, away, in do not disturb, invisible or offline; the count agrees', async () => {
  const { amy, ian, kit, abe, quin, ivy, otto } = await parley.people('amy', 'ian', 'kit', 'abe', 'quin', 'ivy', 'otto')
  const invited = [bob, amy, ian, kit, abe, quin, ivy, otto]
  const members = invited.map(({ id }) => id)
  const { body: channel } = await ada.post('/api/channels', { name: 'there', isPrivate: true, members })
  const be = (person: Person, body: object) => person.put('/api/users/me/availability', body)
  await be(abe, { availability: 'away' })
  await be(quin, { availability: 'quiet', until: new Date(Date.now() + 3_600_000).toISOString() })
  await be(ivy, { availability: 'invisible' })
  const sockets = await Promise.all([bob, eve, amy, ian, kit, abe, quin, ivy].map((person) => person.listen()))
  const [, , , ians, kits] = sockets
  // Kit is idle on one of two devices.
  const second = await kit.listen()
  for (const idle of [ians, kits]) idle?.socket.emit('status:update', 'idle')
  const { presence } = parley.app
  await expect.poll(() => presence.isIdle(ian.id)).toBe(true)
  const expectHere = async (people: Person[]) => {
    const { id } = await ada.say(channel.id, '@here are you?')
    const unread = await Promise.all(invited.map(async (it) => [it, await cursorOf(it, channel.id)] as const))
    expect(unread.flatMap(([{ username }, { mentions }]) => (mentions ? username : []))).toEqual(
      people.map(({ username }) => username),
    )
    const { body: count } = await ada.get(`/api/channels/${channel.id}/audience`)
    expect(count).toEqual({ people: invited.length, away: invited.length - people.length })
    await ada.delete(`/api/messages/${id}`)
  }
  await expectHere([bob, amy, kit])
  ians?.socket.emit('status:update', 'online')
  second.socket.emit('status:update', 'idle')
  await expect.poll(() => [ian, kit].map(({ id }) => presence.isIdle(id))).toEqual([false, true])
  await be(quin, { availability: 'active' })
  await expectHere([bob, amy, ian, quin])
  expect(await eve.get(`/api/channels/${channel.id}/audience`)).toMatchObject({ status: 404 })
})

test('a message that mentions somebody several times counts once, and nobody mentions themselves', async () => {
  const id = await newChannel()
  const sent = await ada.say(id, '@bob @Bob @channel @here and I, @ada')
  expect(sent).toMatchObject({ mentions: [mention(bob), mention(ada)], broadcast: 'channel' })
  expect((await ada.put(`/api/channels/${id}/read`, { seq: 1, unread: true })).body).toMatchObject({ unread: 1 })
  expect(await counted(id)).toEqual([0, 1, 1])
})

test('a read mention does not count, and counts again when marked as unread', async () => {
  const id = await newChannel()
  for (const text of ['@bob one', '@channel two', 'three', '@bob four']) await ada.say(id, text)
  expect(await counted(id)).toEqual([0, 3, 1])
  const read = async (body: object) => (await bob.put(`/api/channels/${id}/read`, body)).body.mentions
  expect(await read({ seq: 1 })).toBe(2)
  expect(await read({ seq: 3 })).toBe(1)
  expect(await read({ seq: 2, unread: true })).toBe(2)
  await bob.say(id, 'here I am')
  expect(await counted(id)).toEqual([0, 0, 1])
})

test('an edit adds and removes mentions, without raising counts behind the read cursor', async () => {
  const id = await newChannel()
  const listener = await cyd.listen()
  const [first, second]: Message[] = [await ada.say(id, 'first'), await ada.say(id, '@bob second')]
  await bob.put(`/api/channels/${id}/read`, { seq: 1 })
  expect((await edit(ada, first as Message, '@channel @bob first')).body).toMatchObject({
    mentions: [mention(bob)],
    broadcast: 'channel',
  })
  expect(await counted(id)).toEqual([0, 1, 1])
  const { body } = await edit(ada, second as Message, '@cyd second')
  expect(body.mentions).toEqual([mention(cyd)])
  expect(await listener.waitFor('message:updated', (message) => message.id === second?.id)).toEqual(body)
  expect(await counted(id)).toEqual([0, 0, 2])
  await edit(ada, first as Message, 'first')
  expect((await edit(ada, second as Message, '@eve `@cyd`')).body.mentions).toEqual([])
  expect(await counted(id)).toEqual([0, 0, 0])
})

test('deleting a message removes its mentions', async () => {
  const id = await newChannel()
  const sent: Message = await ada.say(id, '@bob @channel')
  expect(await counted(id)).toEqual([0, 1, 1])
  await ada.delete(`/api/messages/${sent.id}`)
  expect(await counted(id)).toEqual([0, 0, 0])
  expect((await bob.get(`/api/messages/channel/${id}`)).body).toMatchObject([{ mentions: [], broadcast: null }])
})

test('repeating a send mentions nobody twice', async () => {
  const id = await newChannel()
  await Promise.all([1, 2, 3].map(() => ada.say(id, '@bob once', 'mentions-once')))
  expect(await counted(id)).toEqual([0, 1, 0])
})

test('after a rename the mention still refers to the person, by the name in the text', async () => {
  const id = await newChannel()
  const max = await parley.person('max')
  await ada.post(`/api/channels/${id}/invite`, { userId: max.id })
  const sent = await ada.say(id, 'hi @max')
  expect((await max.patch('/api/users/me', { username: 'maxine' })).status).toBe(200)
  expect((await cursorOf(max, id)).mentions).toBe(1)
  expect((await bob.get(`/api/messages/channel/${id}`)).body).toEqual([sent])
  expect((await ada.say(id, 'hi @maxine')).mentions).toEqual([{ userId: max.id, username: 'maxine' }])
  expect((await ada.say(id, 'hi @max')).mentions).toEqual([])
})

test('unread mentions are counted up to a hundred', async () => {
  const id = await newChannel()
  const sent = Array.from({ length: limits.mentionsCounted + 5 }, (_, n) => ada.say(id, n % 2 ? '@bob' : '@channel'))
  await Promise.all(sent)
  expect(await cursorOf(bob, id)).toMatchObject({ mentions: limits.mentionsCounted, unread: sent.length })
  expect(await cursorOf(ada, id)).toMatchObject({ mentions: 0, unread: 0 })
})

test('a text mentions the first fifty members it names; unknown names do not count', async () => {
  const id = await newChannel()
  const crowd = Array.from({ length: limits.mentions + 10 }, (_, n) => ({
    id: `crowd-${n}`,
    name: `Crowd ${n}`,
    username: `crowd${n}`,
    email: `crowd${n}@example.com`,
  }))
  await parley.app.db.insertInto('users').values(crowd).execute()
  const memberships = crowd.map((person) => ({ channelId: id, userId: person.id }))
  await parley.app.db.insertInto('memberships').values(memberships).execute()
  const nobodies = Array.from({ length: 200 }, (_, n) => `@nobody${n}`)
  const sent = await ada.say(id, [...nobodies, ...crowd.map(({ username }) => `@${username}`), '@bob'].join(' '))
  expect(sent.mentions.map(({ userId }: { userId: string }) => userId)).toEqual(
    crowd.slice(0, limits.mentions).map((person) => person.id),
  )
  expect(await counted(id)).toEqual([0, 0, 0])
  expect((await ada.say(id, [...nobodies, '@bob'].join(' '))).mentions).toEqual([mention(bob)])
})

test.each(['@', '@a.', '@bob', 'x@bob ', '@.@', '`@'])('a message of many %j is stored', async (piece) => {
  const id = await newChannel()
  const content = piece.repeat(Math.floor(limits.messageContent / piece.length)).trim()
  expect((await ada.post('/api/messages', { channelId: id, content })).status).toBe(201)
})

test('thousands of different names are looked up at once', async () => {
  const id = await newChannel()
  const names = Array.from({ length: 1300 }, (_, n) => `@u${n}`).join(' ')
  expect((await ada.say(id, `${names} @bob`)).mentions).toEqual([mention(bob)])
})
