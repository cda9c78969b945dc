import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openBus } from '../../bus/open-bus.ts'
import { everyone } from '../../realtime/rooms.ts'
import { atEnd } from '../support/cleanup.ts'
import { onDatabase } from '../support/database.ts'
import { follow } from '../support/event-follower.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { isLong, longTest } from '../support/long.ts'
import { type Listener, listen, SECRET, serve, startParley, untilPeers, urlThrough } from '../support/parley.ts'
import { inTime } from '../support/timeouts.ts'
import { openTwoNodes } from '../support/two-nodes.ts'

// Nodes whose bus is cut, slow, mute, flapping or abused. LONG=1 does more rounds.
const rounds = isLong ? 30 : 2

const parley = await startParley()
const { databaseUrl } = parley
const { ada, bob, general, at, say, hears, untilConnected, stored, writeDuring } = await openTwoNodes(
  parley,
  databaseUrl,
)
const { epoch } = await parley.app.db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()

/** A second node, whose bus goes through a faulty network. */
async function secondNode() {
  const proxy = await startFaultProxy(`http://${new URL(databaseUrl).host}`)
  const node = await serve(databaseUrl, {}, undefined, undefined, urlThrough(databaseUrl, proxy))
  await untilPeers(parley, node)
  return { ...node, proxy, close: () => node.app.close() }
}

const disconnectBuses = () =>
  onDatabase(databaseUrl, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'parley bus' and datname = current_database()`,
    ),
  )

longTest(
  'while the bus is repeatedly disconnected, clients of both nodes end up with exactly the stored messages',
  async () => {
    const other = await secondNode()
    await writeDuring(other, async () => {
      for (let n = 0; n < 3 * rounds; n++) {
        await disconnectBuses()
        await sleep(100)
      }
    })
    expect(parley.app.bus.isUnavailable()).toBe(false)
    await other.close()
  },
)

for (const how of isLong ? (['cut', 'freeze', 'mute'] as const) : (['cut'] as const))
  test(`while one node's bus is lost (${how}), it reports that, and its clients end up with exactly the stored messages`, async () => {
    const other = await secondNode()
    const { body: quiet } = await ada.call('POST', '/api/channels', { name: `quiet ${how}`, members: [bob.id] })
    const listener = await listen(other.address, bob.token)
    await writeDuring(other, async () => {
      other.proxy[how]()
      await expect.poll(() => other.app.bus.isUnavailable()).toBe(true)
      // Polling the database still works.
      await ada.call('POST', '/api/messages', { channelId: quiet.id, content: 'by the poll' })
      await listener.waitFor('channel:rev', ({ channelId }) => channelId === quiet.id)
      // Events without a revision are lost, and the state is refetched in the end.
      await bob.call('PUT', `/api/channels/${general.id}/mute`, {})
      if (how !== 'cut') other.proxy.cut()
      other.proxy.restore()
      await expect.poll(() => other.app.bus.isUnavailable()).toBe(false)
    })
    if (how !== 'mute') await expect.poll(() => listener.all('ready').length).toBeGreaterThan(1)
    await other.close()
  })

longTest('a slow bus delays neither sends nor the clients of the same node', async () => {
  const other = await secondNode()
  const [here, there] = [await listen(parley.address, ada.token), await listen(other.address, bob.token)]
  const follower = follow(ada, [general.id])
  // Each request takes twice as long; after five seconds it times out.
  other.proxy.delayBy(1000)
  const id = await say(at(bob, other), 'from the slow node')
  await hears(there, id)
  expect(here.all('message:created').map((it) => it.id)).not.toContain(id)
  // It arrives late, or by refetching if the bus timed out on a busy machine.
  await expect
    .poll(() => here.all('message:created').some((it) => it.id === id) || here.all('ready').length > 1)
    .toBe(true)
  // Polling found it first, and it is shown only once.
  await expect.poll(() => follower.sees(general.id)).toEqual(await stored())
  follower.close()
  await other.close()
})

test('a node with a frozen database rejects calls in time, delivers events of others, and recovers without a restart', async () => {
  const proxy = await startFaultProxy(`http://${new URL(databaseUrl).host}`)
  const other = await serve(urlThrough(databaseUrl, proxy), {}, undefined, undefined, databaseUrl)
  await untilPeers(parley, other)
  const listener = await listen(other.address, bob.token)
  proxy.freeze()
  await hears(listener, await say(ada, 'over the bus'))
  const { call } = at(bob, other)
  const calls = [
    call('POST', '/api/messages', { channelId: general.id, content: 'x' }),
    call('GET', `/api/messages/channel/${general.id}`),
    call('GET', '/api/channels'),
    call('GET', '/readyz'),
  ]
  const [answers] = await Promise.all([
    inTime(Promise.all(calls), other.address),
    expect(fetch(`${other.address}/healthz`)).resolves.toMatchObject({ status: 200 }),
  ])
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 503,
      retryAfter: expect.stringMatching(/^\d+$/),
      body: { error: { code: 'unavailable' } },
    })
  proxy.cut()
  proxy.restore()
  await expect.poll(async () => (await fetch(`${other.address}/readyz`)).status).toBe(200)
  await hears(listener, await say(at(bob, other), 'back'))
  await other.app.close()
})

longTest('while the bus flaps, clients sync in rounds that never overlap', async () => {
  const other = await secondNode()
  const listeners = await Promise.all(Array.from({ length: 60 }, () => listen(other.address, bob.token)))
  const sockets = [...other.app.realtime.io.of('/').sockets.values()]
  const counts = new Map(sockets.map(({ id }) => [id, 0]))
  let widest = 0
  for (const socket of sockets)
    socket.onAnyOutgoing((event) => {
      if (event !== 'ready') return
      counts.set(socket.id, (counts.get(socket.id) ?? 0) + 1)
      widest = Math.max(widest, Math.max(...counts.values()) - Math.min(...counts.values()))
    })
  for (let n = 0; n < rounds; n++) {
    other.proxy.cut()
    await ada.call('PUT', `/api/channels/${general.id}/mute`, {})
    await sleep(300)
    other.proxy.restore()
    await untilConnected(listeners[0] as Listener, ada)
  }
  await expect.poll(() => Math.min(...counts.values())).toBeGreaterThan(0)
  expect(widest).toBe(1)
  const handlers = other.app.realtime.io.of('/').sockets.values().next().value?.listeners('typing').length
  expect(handlers).toBe(1)
  for (const { socket } of listeners) socket.close()
  await other.close()
})

test('another database account cannot read the bus, and its messages have no effect', async () => {
  const other = await secondNode()
  const channel = `parley_${epoch.replaceAll('-', '')}`
  const role = `reports_${process.pid}`
  await onDatabase(databaseUrl, (client) => client.query(`create role ${role} login password 'x'`))
  atEnd(() => onDatabase(databaseUrl, (client) => client.query(`drop role ${role}`)))
  const url = new URL(databaseUrl)
  Object.assign(url, { username: role, password: 'x' })
  const stranger = new pg.Client({ connectionString: url.href })
  stranger.on('error', () => {})
  await stranger.connect()
  const heard: string[] = []
  stranger.on('notification', ({ payload = '' }) => heard.push(payload))
  await stranger.query(`listen ${channel}`)

  const listener = await listen(other.address, bob.token)
  const id = await say(ada, 'between us: 4711')
  await hears(listener, id)
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  for (const payload of heard) {
    const text = Buffer.from(payload.split(':')[1] ?? '', 'base64').toString()
    for (const secret of ['4711', 'message:created', id, general.id]) expect(payload + text).not.toContain(secret)
  }
  const before = listener.all('message:created').length
  const forged = ['', 'x', '0/1:', `0/1:${'A'.repeat(7000)}`, '0/2:AAAA', '1/2:AAAA', '["event","everyone"]']
  for (const payload of [...heard, ...forged]) await stranger.query('select pg_notify($1, $2)', [channel, payload])
  await hears(listener, await say(ada, 'undisturbed'))
  expect(listener.all('message:created').length).toBe(before + 1)
  expect([parley.app.bus.peers().length, other.app.bus.peers().length]).toEqual([1, 1])
  await stranger.end()
  await other.close()
})

test('unknown notices of a node of another version have no effect', async () => {
  const observer = { onEcho() {}, onMissed() {}, onDropped() {}, onIgnored() {}, onSent() {} }
  const newer = openBus({ node: 'newer', url: databaseUrl, secret: SECRET, epoch, log: parley.app.log, observer })
  await newer.start({ onNotice() {}, onPeerJoined() {}, onPeerLeft() {}, onMissed() {} })
  await expect.poll(() => newer.peers().length).toBe(1)
  const listener = await listen(parley.address, ada.token)
  const before = listener.events.length
  const event = { kind: 'event', audience: everyone }
  const strange: unknown[] = [
    { kind: 'no such kind', more: 1 },
    { kind: 'event' },
    { ...event, event: 'no such event', payload: {} },
    { ...event, event: '__proto__', payload: {} },
    { ...event, event: 'message:created', payload: { channelId: general.id } },
    { ...event, event: 'user:updated', payload: null },
    { kind: 'joined', channelId: general.id },
    { kind: 'left' },
    { kind: 'private' },
    { kind: 'closed', channelId: 'no such channel' },
    { kind: 'presence', version: 'x' },
    { kind: 'presence:all', version: 1, online: null },
    {},
    [],
    ['event', everyone, 'channel:deleted', {}],
    null,
    7,
  ]
  for (const notice of strange) newer.send(notice as { kind: string })
  const channelId = '01900000-0000-7000-8000-000000000000'
  const payload = { channelId, memberIds: [], more: 'of the next version' }
  newer.send({ ...event, event: 'channel:deleted', payload } as { kind: string })
  expect(await listener.waitFor('channel:deleted')).toEqual({ channelId, memberIds: [] })
  expect(listener.events.slice(before).filter(({ event }) => !/deleted|status_changed/.test(event))).toEqual([])
  await newer.close()
  listener.socket.close()
})
