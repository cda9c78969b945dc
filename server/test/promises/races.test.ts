import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { isLong } from '../support/long.ts'
import { listen, type Person, serve, startParley } from '../support/parley.ts'

const parley = await startParley()
const { root, ada, bob, cyd } = await parley.people('root', 'ada', 'bob', 'cyd')

let made = 0
const newChannel = async (members: Person[], isPrivate = false): Promise<Channel> =>
  (
    await ada.post('/api/channels', {
      name: `race-${made++}`,
      isPrivate,
      members: members.map(({ id }) => id),
    })
  ).body

const rowsOf = async (channelId: string) =>
  (await parley.app.db.selectFrom('memberships').select('userId').where('channelId', '=', channelId).execute()).map(
    ({ userId }) => userId,
  )
const stored = (channelId: string) =>
  parley.app.db.selectFrom('channels').selectAll().where('id', '=', channelId).executeTakeFirstOrThrow()
const join = (person: Person, { id }: Channel) => person.post(`/api/channels/${id}/join`)
const leave = (person: Person, { id }: Channel) => person.post(`/api/channels/${id}/leave`)
const remove = ({ id }: Channel, person: Person) => ada.post(`/api/channels/${id}/remove-member`, { userId: person.id })

/** Expects the member count to equal the rows, and exactly the members to receive a message. */
async function expectConsistent(channel: Channel, listeners: [Person, Awaited<ReturnType<typeof listen>>][]) {
  const members = await rowsOf(channel.id)
  const { memberCount } = await stored(channel.id)
  expect(memberCount).toBe(members.length)
  expect((await ada.get(`/api/channels/${channel.id}`)).body._count.members).toBe(members.length)
  const { id }: Message = await ada.say(channel.id, 'who hears?')
  for (const [person, { waitFor, all }] of listeners) {
    if (members.includes(person.id)) await waitFor('message:created', (it) => it.id === id)
    else {
      await ada.post('/api/channels', { name: `after-${id}` })
      await waitFor('channel:created', ({ name }) => name === `after-${id}`)
      expect(all('message:created').map((it) => it.id)).not.toContain(id)
    }
  }
}

test(`joining, being removed and leaving concurrently, ${isLong ? 200 : 40} times: member counts equal the rows, and socket rooms the members`, async () => {
  const channel = await newChannel([])
  const listener: [Person, Awaited<ReturnType<typeof listen>>][] = [
    [bob, await bob.listen()],
    [cyd, await cyd.listen()],
  ]
  for (let round = 0; round < (isLong ? 200 : 40); round++) {
    const answers = await Promise.all([
      join(bob, channel),
      remove(channel, bob),
      join(cyd, channel),
      round % 2 ? leave(cyd, channel) : remove(channel, cyd),
      round % 3 ? join(bob, channel) : remove(channel, bob),
    ])
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    if (round % 10 === 0) await expectConsistent(channel, listener)
  }
  await expectConsistent(channel, listener)
})

test('a member removed during a stream of messages neither receives nor sends anything afterwards', async () => {
  const channel = await newChannel([bob, cyd], true)
  const listener = await cyd.listen()
  let streaming = true
  const statuses: number[] = []
  const stream = async (person: Person) => {
    for (let n = 0; streaming; n++) {
      const { status } = await person.post('/api/messages', {
        channelId: channel.id,
        content: `${person.username} ${n}`,
      })
      if (person === cyd) statuses.push(status)
    }
  }
  const streams = [stream(ada), stream(bob), stream(cyd), stream(cyd)]
  const answers = (status: number) => statuses.filter((it) => it === status).length
  await expect.poll(() => answers(201)).toBeGreaterThan(10)
  const removed = await remove(channel, cyd)
  expect(removed.status).toBe(200)
  await expect.poll(() => answers(404)).toBeGreaterThan(10)
  streaming = false
  await Promise.all(streams)

  const left = await listener.waitFor('channel:left', ({ channelId }) => channelId === channel.id)
  const after = listener.events.slice(listener.events.findIndex(({ payload }) => payload === left) + 1)
  expect(after.filter((it) => JSON.stringify(it).includes(channel.id))).toEqual([])
  expect(new Set(statuses)).toEqual(new Set([201, 404]))
  const goneAt = statuses.lastIndexOf(201)
  expect(statuses.slice(goneAt + 1).every((status) => status === 404)).toBe(true)
  const theirs = await parley.app.db
    .selectFrom('messages')
    .select('rev')
    .where('channelId', '=', channel.id)
    .where('userId', '=', cyd.id)
    .execute()
  expect(theirs).toHaveLength(statuses.filter((status) => status === 201).length)
  const heardOfIt = (await rowsOf(channel.id)).includes(cyd.id)
  expect(heardOfIt).toBe(false)
  for (const url of [`/api/messages/channel/${channel.id}`, `/api/channels/${channel.id}/changes?after=0`])
    expect((await cyd.get(url)).status).toBe(404)
})

test('a channel deleted while fifty people write stores each message before the deletion or refuses it', async () => {
  const channel = await newChannel([bob, cyd])
  const writes = Array.from({ length: 50 }, (_, n) => {
    const body = { channelId: channel.id, content: `late ${n}` }
    return ([ada, bob, cyd][n % 3] as Person).post('/api/messages', body)
  })
  const deleted = ada.delete(`/api/channels/${channel.id}`)
  const more = Array.from({ length: 50 }, (_, n) =>
    bob.post('/api/messages', { channelId: channel.id, content: `later ${n}` }),
  )
  expect((await deleted).status).toBe(204)
  const statuses = (await Promise.all([...writes, ...more])).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 201 && status !== 404)).toEqual([])
  const { seq } = await stored(channel.id)
  expect(seq).toBe(statuses.filter((status) => status === 201).length)
  expect((await bob.get(`/api/messages/channel/${channel.id}`)).status).toBe(404)
  // Its name is available again.
  expect((await bob.post('/api/channels', { name: channel.name })).status).toBe(201)
})

test('two users who open a direct message concurrently, through either endpoint, get the same one, published once', async () => {
  const [adas, bobs] = [await ada.listen(), await bob.listen()]
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => {
      const [me, other] = n % 2 ? [ada, bob] : [bob, ada]
      return n % 3
        ? me.post('/api/direct-messages', { userIds: [other.id] })
        : me.post('/api/channels', { name: 'dm-ada-bob', isPrivate: true, members: [other.id] })
    }),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
  const [id] = new Set(answers.map(({ body }) => body.id))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  await ada.post('/api/channels', { name: 'after the direct ones' })
  for (const { all, waitFor } of [adas, bobs]) {
    await waitFor('channel:created', ({ name }) => name === 'after the direct ones')
    expect(all('channel:created').filter((it) => it.id === id)).toHaveLength(1)
  }
  expect((await rowsOf(id)).sort()).toEqual([ada.id, bob.id].sort())
})

test('only one of two channels created concurrently with the same name succeeds', async () => {
  const answers = await Promise.all(['Twin', 'twin', 'TWIN', 'twin'].map((name) => bob.post('/api/channels', { name })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
})

test('an owner who leaves during a transfer of ownership is still a member or no longer the owner', async () => {
  for (let round = 0; round < 10; round++) {
    const channel = await newChannel([bob])
    const [handed, left] = await Promise.all([
      ada.patch(`/api/channels/${channel.id}`, { ownerId: bob.id }),
      leave(ada, channel),
      leave(bob, channel),
    ])
    expect([200, 400]).toContain(handed.status)
    expect([204, 400]).toContain(left.status)
    const { ownerId, memberCount } = await stored(channel.id)
    const members = await rowsOf(channel.id)
    expect(members).toContain(ownerId)
    expect(memberCount).toBe(members.length)
  }
})

test('a pending invitation whose sender is removed adds nobody', async () => {
  const channel = await newChannel([bob], true)
  const { writer } = parley.app
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const hold = writer.change(
    channel.id,
    () => {
      begin()
      return held
    },
    () => {},
  )
  await begun
  // Both pass the access check, then wait in the channel's queue.
  const removed = remove(channel, bob)
  await expect.poll(writer.waiting).toBeGreaterThan(0)
  const waiting = writer.waiting()
  const invited = bob.post(`/api/channels/${channel.id}/invite`, { userId: cyd.id })
  await expect.poll(writer.waiting).toBeGreaterThan(waiting)
  release()
  await hold
  expect((await removed).status).toBe(200)
  expect(await invited).toMatchObject({ status: 404, code: 'not_found' })
  expect(await rowsOf(channel.id)).toEqual([ada.id])
})

test('sixty simultaneous different reactions leave fifty', async () => {
  const channel = await newChannel([])
  const { id } = await ada.say(channel.id, 'react')
  const emojis = Array.from({ length: 60 }, (_, n) => String.fromCodePoint(0x1f600 + n))
  // Requests that wait too long in the queue are rejected, and retried as by a browser.
  const react = async (emoji: string): ReturnType<Person['post']> => {
    const answer = await ada.post(`/api/messages/${id}/reactions`, { emoji })
    return answer.code === 'unavailable' ? react(emoji) : answer
  }
  const answers = await Promise.all(emojis.map(react))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
  expect(answers.filter(({ code }) => code === 'too_many_reactions')).toHaveLength(10)
  expect(Object.keys((await ada.get(`/api/messages/${id}/reactions`)).body)).toHaveLength(50)
})

test('a user who connects while being removed receives nothing afterwards', async () => {
  // Each round removes them at a different moment of connecting.
  for (let round = 0; round < 10; round++) {
    const channel = await newChannel([cyd], true)
    const [listener] = await Promise.all([cyd.listen(), sleep(round).then(() => remove(channel, cyd))])
    const { id } = await ada.say(channel.id, 'not for them')
    await ada.post('/api/channels', { name: `connected-${id}` })
    await listener.waitFor('channel:created', ({ name }) => name === `connected-${id}`)
    expect(listener.all('message:created')).toEqual([])
    listener.socket.close()
  }
})

test('a member removed on one node stops receiving on another within a second; one added on one node receives on the other', async () => {
  const other = await serve(parley.databaseUrl)
  const channel = await newChannel([cyd], true)
  const open = await newChannel([])
  const [theirs, looking] = [await listen(other.address, cyd.token), await listen(other.address, bob.token)]
  looking.socket.emit('channel:join', open.id)
  await looking.waitFor('channel:joined')
  const say = (channelId: string, content: string) =>
    other.app.inject({
      method: 'POST',
      url: '/api/messages',
      headers: { authorization: `Bearer ${ada.token}` },
      payload: { channelId, content },
    })
  await say(channel.id, 'heard')
  await theirs.waitFor('message:created', ({ content }) => content === 'heard')
  await say(open.id, 'seen')
  await looking.waitFor('message:created', ({ content }) => content === 'seen')

  await remove(channel, cyd)
  await ada.patch(`/api/channels/${open.id}`, { isPrivate: true })
  await Promise.all([theirs, looking].map(({ waitFor }) => waitFor('channel:left')))
  await say(channel.id, 'not heard')
  await say(open.id, 'not seen')
  await ada.post(`/api/channels/${channel.id}/invite`, { userId: bob.id })
  await expect
    .poll(async () => {
      await say(channel.id, 'welcome')
      return looking.all('message:created').some(({ content }) => content === 'welcome')
    })
    .toBe(true)
  expect([theirs, looking].flatMap(({ all }) => all('message:created').map(({ content }) => content))).not.toEqual(
    expect.arrayContaining(['not heard']),
  )
  expect(looking.all('message:created').map(({ content }) => content)).not.toContain('not seen')
  const read = await other.app.inject({
    url: `/api/messages/channel/${channel.id}`,
    headers: { authorization: `Bearer ${cyd.token}` },
  })
  expect(read.statusCode).toBe(404)
})

test('the channels of a deactivated owner go to their longest-standing members', async () => {
  const gus = await parley.person('gus')
  const { body: channel } = await gus.post('/api/channels', { name: 'gus-own', members: [bob.id] })
  await join(cyd, channel)
  const { body: alone } = await gus.post('/api/channels', { name: 'gus-alone', isPrivate: true })
  await root.put(`/api/users/${bob.id}/deactivation`, {})
  await root.put(`/api/users/${gus.id}/deactivation`, {})
  expect((await cyd.get(`/api/channels/${channel.id}`)).body.ownerId).toBe(cyd.id)
  expect((await stored(alone.id)).ownerId).toBe(gus.id)
})
