import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { expect, test, vi } from 'vitest'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { isLong } from '../test/support/long.ts'
import { transaction, untilLockWait } from '../test/support/open-transactions.ts'
import { type Listener, listen, type Person, serve, startParley } from '../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, dan } = await parley.people('ada', 'bob', 'cyd', 'dan')
const { databaseUrl } = parley
const numRuns = isLong ? 60 : 6

let made = 0
async function newChannel(members: Person[], isPrivate = true): Promise<Channel> {
  const body = { name: `room-${made++}`, isPrivate, members: members.map(({ id }) => id) }
  return (await ada.post('/api/channels', body)).body
}
const locked = (table: string) => transaction(databaseUrl, [`lock table ${table} in access exclusive mode`])

test('a user who connects during a membership sync stays subscribed to their channels', async () => {
  const channel = await newChannel([bob, dan])
  const other = await serve(databaseUrl)
  await cyd.listen()
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const held = parley.app.writer.change(
    channel.id,
    () => gate,
    () => {},
  )
  // Cyd joins on another node, so that this one must move sockets in the channel's queue.
  await other.app.inject({
    method: 'POST',
    url: `/api/channels/${channel.id}/invite`,
    headers: { authorization: `Bearer ${ada.token}` },
    payload: { userId: cyd.id },
  })
  await expect.poll(() => parley.app.writer.waiting()).toBeGreaterThan(0)
  const lock = await locked('channels')
  open()
  await held
  await untilLockWait(databaseUrl, '"memberships"', 'peopleVersion')
  const dans = await dan.listen()
  await lock.commit()
  // Until the queries are complete.
  await expect.poll(() => parley.app.writer.isBusy(channel.id)).toBe(false)
  const { id } = await ada.say(channel.id, 'for dan')
  await dans.waitFor('message:created', (it) => it.id === id)
  expect(dans.all('channel:left')).toEqual([])
  await other.app.close()
})

test('subscribers receive the deletion of a channel even during a membership sync', async () => {
  const channel = await newChannel([bob])
  const bobs = await bob.listen()
  const other = await serve(databaseUrl)
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const held = parley.app.writer.change(
    channel.id,
    () => gate,
    () => {},
  )
  const touched = await transaction(databaseUrl, [
    `update access_changes set "changedBy" = pg_current_xact_id() where "channelId" = $1 and "userId" = $2`,
    [channel.id, bob.id],
  ])
  await touched.commit()
  await expect.poll(() => parley.app.writer.waiting()).toBeGreaterThan(0)
  const headers = { authorization: `Bearer ${ada.token}` }
  const answer = await other.app.inject({ method: 'DELETE', url: `/api/channels/${channel.id}`, headers })
  expect(answer.statusCode).toBe(204)
  open()
  await held
  await bobs.waitFor('channel:deleted', ({ channelId }) => channelId === channel.id)
  expect(bobs.all('channel:left')).toEqual([])
  await other.app.close()
})

test('a user who leaves a channel during its creation receives no events of it', async () => {
  const bobs = await bob.listen()
  const lock = await locked('mentions')
  const making = newChannel([bob])
  await untilLockWait(databaseUrl, 'mentions')
  const { id: last } = await parley.app.db
    .selectFrom('channels')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  // The channel has been stored, but not published.
  const early = (await bob.post(`/api/channels/${last}/leave`)).status
  await lock.commit()
  const channel = await making
  if (last !== channel.id) expect((await bob.post(`/api/channels/${channel.id}/leave`)).status).toBe(204)
  else expect(early).toBe(204)
  const { id } = await ada.say(channel.id, 'not for bob')
  await ada.post('/api/channels', { name: `after-${id}` })
  await bobs.waitFor('channel:created', ({ name }) => name === `after-${id}`)
  expect(bobs.all('message:created').map((it) => it.id)).not.toContain(id)
})

test('a viewer who joins while ending the view stays subscribed; one who is removed does not', async () => {
  for (let round = 0; round < 10; round++) {
    const channel = await newChannel([], false)
    const bobs = await bob.listen()
    bobs.socket.emit('channel:join', channel.id)
    await bobs.waitFor('channel:joined')
    const joined = bob.post(`/api/channels/${channel.id}/join`)
    await turn()
    bobs.socket.emit('channel:leave', channel.id)
    await joined
    const removed = round % 2 ? ada.post(`/api/channels/${channel.id}/remove-member`, { userId: bob.id }) : undefined
    await bobs.waitFor('channel:left')
    await removed
    const { id } = await ada.say(channel.id, 'for members')
    await ada.post('/api/channels', { name: `away-${id}` })
    await bobs.waitFor('channel:created', ({ name }) => name === `away-${id}`)
    expect(bobs.all('message:created').some((it) => it.id === id)).toBe(removed === undefined)
    bobs.socket.close()
  }
})

const isIn = ({ realtime: { io } }: FastifyInstance, { socket }: Listener, room: string) =>
  io
    .of('/')
    .sockets.get(socket.id as string)
    ?.rooms.has(room)

interface Step {
  what: 'join' | 'leave' | 'invite' | 'remove' | 'open' | 'close' | 'look' | 'away' | 'connect' | 'say'
  who: number
  node: number
  pause: 'none' | 'turn' | 'moment'
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('join', 'leave', 'invite', 'remove', 'open', 'close', 'look', 'away', 'connect', 'say'),
  who: fc.nat(2),
  node: fc.nat(1),
  pause: fc.constantFrom('none', 'none', 'turn', 'moment'),
})

test('with random changes on two nodes, members receive every revision and outsiders none', {
  timeout: numRuns * 30_000,
}, async () => {
  const other = await serve(databaseUrl)
  const nodes = [parley, other]
  const guests = [bob, cyd, dan]
  const at = (node: number, person: Person, method: 'POST' | 'PATCH', url: string, payload: object = {}) =>
    (nodes[node] as typeof parley).app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${person.token}` },
      payload,
    })

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const channel = await newChannel([bob], false)
      const url = `/api/channels/${channel.id}`
      const sockets: { person: Person; node: number; listener: Listener }[] = []
      const connect = async (person: Person, node: number) => {
        // If a user's membership is unknown, their connection is closed and they reconnect.
        const listener = await listen((nodes[node] as typeof parley).address, person.token, true)
        sockets.push({ person, node, listener })
      }
      try {
        await Promise.all([0, 1].flatMap((node) => [ada, ...guests].map((person) => connect(person, node))))
        const acts: Promise<unknown>[] = []
        for (const { what, who, node, pause } of steps) {
          if (pause === 'turn') await turn()
          // Enough for some of the calls to finish.
          if (pause === 'moment') await sleep(15)
          const person = guests[who] as Person
          const emit = (event: 'channel:join' | 'channel:leave') => {
            for (const it of sockets)
              if (it.person === person && it.node === node) it.listener.socket.emit(event, channel.id)
          }
          if (what === 'join' || what === 'leave') acts.push(at(node, person, 'POST', `${url}/${what}`))
          if (what === 'invite') acts.push(at(node, ada, 'POST', `${url}/invite`, { userId: person.id }))
          if (what === 'remove') acts.push(at(node, ada, 'POST', `${url}/remove-member`, { userId: person.id }))
          if (what === 'open') acts.push(at(node, ada, 'PATCH', url, { isPrivate: false }))
          if (what === 'close') acts.push(at(node, ada, 'PATCH', url, { isPrivate: true }))
          if (what === 'say') acts.push(at(node, ada, 'POST', '/api/messages', { channelId: channel.id, content: 'x' }))
          if (what === 'connect') acts.push(connect(person, node))
          if (what === 'look') emit('channel:join')
          if (what === 'away') emit('channel:leave')
        }
        await Promise.all(acts)
        // The channel is private and has no viewers, so only members may receive its events.
        for (const { listener } of sockets) listener.socket.emit('channel:leave', channel.id)
        await ada.patch(url, { isPrivate: true })
        const rows = await parley.app.db
          .selectFrom('memberships')
          .select('userId')
          .where('channelId', '=', channel.id)
          .execute()
        const members = new Set(rows.map(({ userId }) => userId))
        // Rooms eventually match memberships, and stay that way.
        const room = `channel:${channel.id}`
        const inRoom = () =>
          sockets
            .filter(({ node, listener }) => isIn((nodes[node] as typeof parley).app, listener, room))
            .map(({ person }) => person.username)
        const expected = sockets.filter(({ person }) => members.has(person.id)).map(({ person }) => person.username)
        await expect.poll(inRoom).toEqual(expected)
        const sent: Message[] = []
        for (const node of [0, 1]) {
          const body = { channelId: channel.id, content: 'the end' }
          sent.push((await at(node, ada, 'POST', '/api/messages', body)).json())
        }
        const rev = sent.at(-1)?.rev
        for (const { person, listener } of sockets)
          if (members.has(person.id))
            await expect
              .poll(() => listener.events.some(({ payload }) => (payload as { rev?: number }).rev === rev))
              .toBe(true)
        for (const { person, listener } of sockets)
          if (!members.has(person.id))
            expect(listener.all('message:created').map(({ content }) => content)).not.toContain('the end')
      } finally {
        for (const { listener } of sockets) listener.socket.close()
      }
    }),
    { numRuns, endOnFailure: true },
  )
  await other.app.close()
})

test('a new member whose name cannot be read is published once it can', async () => {
  const other = await serve(databaseUrl)
  const invite = (app: FastifyInstance, channelId: string, userId: string) =>
    app.inject({
      method: 'POST',
      url: `/api/channels/${channelId}/invite`,
      headers: { authorization: `Bearer ${ada.token}` },
      payload: { userId },
    })
  const namesOf = vi.spyOn(parley.app.people, 'namesOf')
  const cyds = await cyd.listen()
  // Through this node, and through another one.
  for (const by of [parley.app, other.app]) {
    const channel = await newChannel([])
    // The database fails now.
    namesOf.mockRejectedValueOnce(new Error('Query read timeout'))
    expect((await invite(by, channel.id, cyd.id)).statusCode).toBe(200)
    await cyds.waitFor('channel:member_joined', ({ channelId, user }) => channelId === channel.id && user.id === cyd.id)
    namesOf.mockReset()
    const { id } = await ada.say(channel.id, 'for cyd')
    await cyds.waitFor('message:created', (it) => it.id === id)
    namesOf.mockReset()
  }
  namesOf.mockRestore()
  await other.app.close()
})
