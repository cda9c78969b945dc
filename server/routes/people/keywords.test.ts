import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { audiencesOf } from '../../messages/mentions.ts'
import { NO_BUS, type Person, serve, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')
// Learns of changes by polling only.
const other = await serve(parley.databaseUrl, {}, undefined, undefined, NO_BUS)

const url = '/api/notification-settings/keywords'
const change = (person: Person, body: object) => person.patch(url, body)
const kept = async (person: Person) => (await person.get('/api/notification-settings')).body.keywords
const inSession = async ({ cookie }: Person) => {
  const answer = await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie } })
  return answer.json().user.keywords
}
const channelFor = async (person: Person, id: string): Promise<Channel> =>
  (await person.get(`/api/channels/${id}`)).body
const mentionsOf = async (person: Person, id: string) => (await channelFor(person, id)).mentions

test('keywords are added and removed one by one, whatever their case, and tell only one’s own devices', async () => {
  const device = await bob.listen()
  const others = await eve.listen()
  expect(await kept(bob)).toEqual([])
  expect((await change(bob, { add: [' Outage ', 'on call', 'OUTAGE'] })).body).toEqual({
    keywords: ['Outage', 'on call'],
  })
  expect((await change(bob, { add: ['outage'] })).body).toEqual({ keywords: ['Outage', 'on call'] })
  await Promise.all([change(bob, { add: ['one'] }), change(bob, { add: ['two'] })])
  expect((await kept(bob)).toSorted()).toEqual(['Outage', 'on call', 'one', 'two'])
  expect((await change(bob, { remove: ['ON CALL', 'one', 'two', 'three'] })).body).toEqual({ keywords: ['Outage'] })
  expect([await kept(bob), await inSession(bob), await kept(eve)]).toEqual([['Outage'], ['Outage'], []])
  await expect.poll(() => device.all('notification-settings:changed').length).toBe(4)
  expect(others.all('notification-settings:changed')).toEqual([])
  for (const { socket } of [device, others]) socket.close()
  // What was chosen before stays.
  await bob.patch('/api/notification-settings', { level: 'nothing' })
  expect(await kept(bob)).toEqual(['Outage'])
  await bob.patch('/api/notification-settings', { level: null })
})

test('empty, long, invisible and too many keywords are refused', async () => {
  for (const add of [
    [''],
    ['  '],
    ['x'.repeat(51)],
    ['\0'],
    ['a\u200bb'],
    ['two\nlines'],
    [7],
    'word',
    Array(101).fill('x'),
  ])
    expect(await change(ada, { add }), JSON.stringify(add)).toMatchObject({ status: 400, code: 'invalid' })
  // Longer once it is normalized.
  expect(await change(ada, { add: ['ﷺ'.repeat(50)] })).toMatchObject({ status: 400, code: 'invalid' })
  const own = Array.from({ length: limits.keywords.own }, (_, i) => `word ${i}`)
  expect((await change(ada, { add: own })).status).toBe(200)
  expect(await change(ada, { add: Array.from({ length: 40 }, (_, i) => `more ${i}`) })).toMatchObject({ status: 409 })
  expect(await change(ada, { add: ['one more'] })).toMatchObject({ status: 409, code: 'too_many_keywords' })
  expect((await change(ada, { add: ['one more'], remove: ['word 3'] })).status).toBe(200)
  expect((await change(ada, { remove: [...own.slice(0, 3), ...own.slice(4), 'one more'] })).body).toEqual({
    keywords: [],
  })
})

test('a message with a keyword counts as a mention for those in the channel who have it, and nobody else learns of it', async () => {
  for (const person of [ada, bob, eve]) await change(person, { add: ['launch'] })
  const { body: channel } = await olga.post('/api/channels', {
    name: 'plans',
    isPrivate: true,
    members: [ada.id, bob.id],
  })
  const heard = await ada.listen()
  const message = await ada.say(channel.id, 'The LAUNCH is on Monday')
  // Not for the author, nor for those who don’t have it.
  expect(await Promise.all([ada, bob, olga].map((person) => mentionsOf(person, channel.id)))).toEqual([0, 1, 0])
  expect(message).toMatchObject({ mentions: [], broadcast: null })
  expect(JSON.stringify(await heard.waitFor('message:created', ({ id }) => id === message.id))).not.toContain(bob.id)
  heard.socket.close()
  // Who joins later was not there.
  await olga.post(`/api/channels/${channel.id}/invite`, { userId: eve.id })
  expect(await mentionsOf(eve, channel.id)).toBe(0)

  const edit = async (content: string) =>
    expect((await ada.put(`/api/messages/${message.id}`, { content })).status).toBe(200)
  await edit('It is on Monday')
  expect(await mentionsOf(bob, channel.id)).toBe(0)
  await edit('@here the launch is on Monday')
  expect(await mentionsOf(bob, channel.id)).toBe(1)
  await edit('the launch is on Monday')
  expect(await mentionsOf(bob, channel.id)).toBe(1)
  await ada.delete(`/api/messages/${message.id}`)
  expect(await mentionsOf(bob, channel.id)).toBe(0)
})

test('in a thread, a keyword counts for those who follow it', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'threads', members: [bob.id, eve.id] })
  const parent = await ada.say(channel.id, 'a question')
  await bob.put(`/api/threads/${parent.id}/follow`, {})
  await ada.post('/api/threads/messages', { parentMessageId: parent.id, content: 'launch it' })
  const cursor = async (person: Person) => (await person.get(`/api/threads/${parent.id}/cursor`)).body
  expect(await cursor(bob)).toMatchObject({ unread: 1, mentions: 1 })
  expect(await cursor(eve)).toMatchObject({ unread: 0, mentions: 0 })
  expect(await mentionsOf(eve, channel.id)).toBe(0)
})

test('another node knows new keywords within moments, and forgets removed ones', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'nodes', members: [bob.id] })
  await change(bob, { add: ['elsewhere'] })
  await expect.poll(() => other.app.keywords.peopleOf('elsewhere')).toEqual([bob.id])
  const answer = await other.app.inject({
    method: 'POST',
    url: '/api/messages',
    headers: { authorization: `Bearer ${ada.token}` },
    payload: { channelId: channel.id, content: 'seen elsewhere' },
  })
  expect([answer.statusCode, await mentionsOf(bob, channel.id)]).toEqual([201, 1])
  await change(bob, { remove: ['elsewhere'] })
  await expect.poll(() => other.app.keywords.peopleOf('elsewhere')).toEqual([])
})

test('a keyword that many have is one row, which counts for each of them', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'many', members: [bob.id, eve.id] })
  for (const person of [bob, eve]) await change(person, { add: ['crowd'] })
  const { id } = await ada.say(channel.id, 'a crowd')
  const byKeyword = Array.from({ length: 60 }, (_, i) => `watcher-${i}`)
  const rows = audiencesOf({ mentions: [], broadcast: null, audience: null, groups: [], byKeyword })
  expect(rows).toEqual([{ userId: null, groupId: null, audience: byKeyword, isKeyword: true }])
  const { db } = parley.app
  await db.deleteFrom('mentions').where('messageId', '=', id).where('userId', '=', eve.id).execute()
  await db
    .updateTable('mentions')
    .set({ userId: null, audience: [bob.id] })
    .where('messageId', '=', id)
    .execute()
  expect(await Promise.all([ada, bob, eve].map((person) => mentionsOf(person, channel.id)))).toEqual([0, 1, 0])
})

test('every node forgets the keywords of an erased account', async () => {
  await change(eve, { add: ['secret'] })
  for (const { app } of [parley, other]) await expect.poll(() => app.keywords.peopleOf('secret')).toEqual([eve.id])
  const body = { username: eve.username, password: 'correct horse' }
  expect((await eve.post('/api/users/me/deletion', body)).status).toBe(204)
  for (const { app } of [parley, other]) await expect.poll(() => app.keywords.peopleOf('secret')).toEqual([])
  const left = parley.app.db
    .selectFrom('mentions')
    .select('seq')
    .where('userId', '=', eve.id)
    .where('isKeyword', '=', true)
  expect(await left.execute()).toEqual([])
})
