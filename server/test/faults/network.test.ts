import { setTimeout as sleep } from 'node:timers/promises'
import { io as connect } from 'socket.io-client'
import { beforeAll, expect, test } from 'vitest'
import { onDatabase } from '../support/database.ts'
import { follow } from '../support/event-follower.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { isLong } from '../support/long.ts'
import { type Person, startParley } from '../support/parley.ts'
import { type ApiClient, signUpClient } from '../support/server-process.ts'

// The network between browser and server is cut, slow, flapping, dead, or blocks WebSockets. LONG=1 does more rounds.
const [rounds, backlog] = isLong ? [30, 100_000] : [3, 2000]

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
let bob: ApiClient
let channelId: string

beforeAll(async () => {
  parley = await startParley()
  parley.app.realtime.io.engine.opts.pingInterval = 500
  // A shorter timeout would cut live connections on a busy machine.
  parley.app.realtime.io.engine.opts.pingTimeout = 3000
  ada = await parley.person('ada')
  bob = await signUpClient(parley.address, 'bob')
  channelId = (await ada.get('/api/channels')).body.channels[0].id
})

/** Bob's client at another address, such as that of a proxy. */
async function through(address: string): Promise<ApiClient> {
  return { ...bob, address, call: (method, path, payload) => bob.call(method, path, payload, address) }
}

const stored = async () => {
  const { rows } = await onDatabase(parley.databaseUrl, (client) =>
    client.query(
      `select rev || ' ' || id || ' ' || content as line from messages where "channelId" = $1 order by seq`,
      [channelId],
    ),
  )
  return rows.map(({ line }) => line as string)
}
const socketsOfBob = () =>
  [...parley.app.realtime.io.of('/').sockets.values()].filter(({ data }) => data.userId === bob.id)
const talk = async (what: string, count: number) => {
  for (let n = 0; n < count; n++) await ada.say(channelId, `${what} ${n}`)
}

test('messages sent during a network outage arrive in order and exactly once afterwards', async () => {
  const proxy = await startFaultProxy(parley.address)
  const follower = follow(await through(proxy.address), [channelId])
  await talk('before', 3)
  await expect.poll(() => follower.sees(channelId)).toEqual(await stored())
  const { body: before } = await bob.call('GET', `/api/channels/${channelId}`)
  proxy.cut()
  await talk('meanwhile', 40)
  await expect.poll(() => socketsOfBob().length).toBe(0)
  proxy.restore()
  await expect.poll(() => follower.sees(channelId)).toEqual(await stored())
  // Each message counts as unread once.
  const { body: after } = await bob.call('GET', `/api/channels/${channelId}`)
  expect(after.seq - before.seq).toBe(40)
  expect(after.lastReadSeq).toBe(before.lastReadSeq)
  follower.close()
})

test(`a network that drops ${rounds} times leaves one socket, in each room once, that missed nothing`, async () => {
  const proxy = await startFaultProxy(parley.address)
  const follower = follow(await through(proxy.address), [channelId])
  const roomsOfBob = () => socketsOfBob().map(({ id, rooms }) => [...rooms].filter((room) => room !== id).sort())
  // The socket is listed shortly before it joins its rooms.
  await expect.poll(roomsOfBob).toEqual([expect.arrayContaining([`channel:${channelId}`])])
  const rooms = roomsOfBob()
  const listeners = parley.app.realtime.io.of('/').sockets.size
  for (let n = 0; n < rounds; n++) {
    const talking = talk(`flap ${n}`, 5)
    // Too short for the client to notice the failure.
    proxy.cut()
    await sleep(150)
    proxy.restore()
    await sleep(250)
    await talking
  }
  await expect.poll(() => follower.sees(channelId)).toEqual(await stored())
  await expect.poll(roomsOfBob).toEqual(rooms)
  expect(parley.app.realtime.io.of('/').sockets.size).toBe(listeners)
  follower.close()
})

test('the server drops a dead connection, and messages sent in between arrive after reconnecting', async () => {
  const proxy = await startFaultProxy(parley.address)
  const follower = follow(await through(proxy.address), [channelId])
  await expect.poll(() => follower.sees(channelId)).toEqual(await stored())
  proxy.freeze()
  await talk('into the dead cable', 5)
  await expect.poll(() => socketsOfBob().length).toBe(0)
  proxy.restore()
  await expect.poll(() => follower.sees(channelId)).toEqual(await stored())
  follower.close()
})

test('a slow network delivers everything, late and in order', async () => {
  const proxy = await startFaultProxy(parley.address)
  proxy.delayBy(60)
  const follower = follow(await through(proxy.address), [channelId])
  await talk('slow', 20)
  await expect.poll(() => follower.sees(channelId)).toEqual(await stored())
  follower.close()
})

test('if WebSockets are blocked, long polling delivers everything', async () => {
  const socket = connect(parley.address, { auth: { token: ada.token }, transports: ['polling'], forceNew: true })
  const received: string[] = []
  socket.on('message:created', ({ content }: { content: string }) => received.push(content))
  await new Promise<void>((resolve) => socket.once('ready', () => resolve()))
  await talk('by polling', 20)
  await expect.poll(() => received).toEqual(Array.from({ length: 20 }, (_, n) => `by polling ${n}`))
  const joined = new Promise((resolve) => socket.once('channel:joined', resolve))
  socket.emit('channel:join', channelId)
  expect(await joined).toMatchObject({ channelId })
  socket.close()
})

test(`after missing ${backlog} messages, a client has to reload and continues from its read cursor`, async () => {
  const { body: before } = await bob.call('GET', `/api/channels/${channelId}`)
  const { body: left } = await bob.call('POST', '/api/sync', { epoch: '', revs: {} })
  for (let n = 0; n < backlog; n += 2000)
    await Promise.all(
      Array.from({ length: 2000 }, (_, i) =>
        parley.app.writer.send({ channelId, userId: ada.id, content: `month ${n + i}`, clientId: null }),
      ),
    )
  const synced = await bob.call('POST', '/api/sync', { epoch: left.epoch, revs: { [channelId]: before.rev } })
  expect(synced.body.channels[channelId]).toEqual({ rev: before.rev + backlog, reload: true })
  const changes = await bob.call('GET', `/api/channels/${channelId}/changes?after=${before.rev}`)
  expect(changes.body).toEqual({ rev: before.rev + backlog, reload: true })
  const { body: after } = await bob.call('GET', `/api/channels/${channelId}`)
  expect(after).toMatchObject({ lastReadSeq: before.lastReadSeq, unread: before.unread + backlog })
  const page = (query: string) => bob.call('GET', `/api/messages/channel/${channelId}?limit=100&${query}`)
  const contents = ({ body }: Awaited<ReturnType<typeof page>>) => body.map((it: { content: string }) => it.content)
  const month = (from: number) => Array.from({ length: 100 }, (_, n) => `month ${from + n}`)
  expect(contents(await page(`after=${before.seq}`))).toEqual(month(0))
  expect(contents(await page(''))).toEqual(month(backlog - 100))
})
