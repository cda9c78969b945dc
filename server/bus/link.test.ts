import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { slowTries } from '#contract/test/properties'
import { createSeal } from '../config/seal.ts'
import { newNodeId } from '../db/live-nodes.ts'
import type { Bus, BusNotice } from './bus.ts'
import { openLink } from './link.ts'
import type { TransportEvents } from './transport.ts'

// The nodes' protocol over a simulated network, which loses, delays, repeats and reorders packets at will.

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const log = { debug() {}, info() {}, warn() {}, error() {} }
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** The fate of one packet on its way to one node. */
type Fate = { lost?: boolean; delayMs?: number; repeatMs?: number }

function network() {
  const ends: TransportEvents[] = []
  const net = {
    ends,
    packets: [] as Buffer[],
    /** The engine accepts no packets. */
    isDown: false,
    /** The engine accepts all packets, but delivers none. */
    isMute: false,
    fate: (_from: number, _to: number): Fate => ({}),
    openTransport(events: TransportEvents) {
      const from = ends.push(events) - 1
      setTimeout(events.onConnected)
      const send = async (packet: Buffer) => {
        if (net.isDown) throw new Error('the network is down')
        net.packets.push(packet)
        for (const [to, { onPacket }] of ends.entries()) {
          const { lost = net.isMute, delayMs = 0, repeatMs } = net.fate(from, to)
          if (!lost) setTimeout(() => onPacket(packet), 1 + delayMs)
          if (!lost && repeatMs !== undefined) setTimeout(() => onPacket(packet), 1 + delayMs + repeatMs)
        }
      }
      return { intervalMsPerPeer: 2, send, close: async () => void Object.assign(events, { onPacket: () => {} }) }
    },
  }
  return net
}

function node({ openTransport }: ReturnType<typeof network>, secret = 'secret') {
  const received: { from: string; notice: BusNotice & { n?: number } }[] = []
  const peers: string[] = []
  const counts = { missed: 0, dropped: 0, ignored: 0, echoes: 0 }
  const missedAt: number[] = []
  const bus = openLink({
    node: newNodeId(),
    openTransport,
    seal: createSeal(secret, 'workspace'),
    log,
    observer: {
      onEcho: () => counts.echoes++,
      onMissed: () => counts.missed++,
      onDropped: (count) => {
        counts.dropped += count
      },
      onIgnored: () => counts.ignored++,
      onSent: () => {},
    },
    events: {
      onNotice: (notice, from) => received.push({ from, notice }),
      onPeerJoined: (peer) => peers.push(`+${peer}`),
      onPeerLeft: (peer, how) => peers.push(`-${peer} ${how}`),
      onMissed: () => missedAt.push(performance.now()),
    },
  })
  return { bus, received, peers, counts, missedAt, numbers: () => received.map(({ notice }) => notice.n) }
}

async function pair() {
  const net = network()
  const [a, b] = [node(net), node(net)]
  await pass(100)
  expect([a.bus.peers().length, b.bus.peers().length]).toEqual([1, 1])
  return { net, a, b }
}

const sendNumber = (bus: Bus, n: number, more = {}) => bus.send({ kind: 'number', n, ...more } as BusNotice)
const sendMany = (bus: Bus, from: number, to: number) => {
  for (let i = from; i < to; i++) sendNumber(bus, i)
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('a lone node sends one packet, and then nothing', async () => {
  const net = network()
  const { bus, counts } = node(net)
  await pass(60_000)
  sendMany(bus, 0, 100)
  await pass(60_000)
  expect([net.packets.length, counts.echoes]).toEqual([1, 1])
})

test('nodes find each other; notices arrive once and in order, but not at their sender', async () => {
  const { net, a, b } = await pair()
  const packets = net.packets.length
  sendMany(a.bus, 0, 1000)
  await pass(100)
  expect(b.numbers()).toEqual(range(0, 1000))
  expect([a.received, a.counts.missed, b.counts.missed]).toEqual([[], 0, 0])
  // One turn of the event loop results in one packet.
  expect(net.packets.length - packets).toBeLessThanOrEqual(2)
})

test('a node that says goodbye leaves immediately, and a silent one after five heartbeats', async () => {
  const { net, a, b } = await pair()
  const c = node(net)
  await pass(100)
  await Promise.all([b.bus.close(), pass(100)])
  expect(a.peers.at(-1)).toMatch(/goodbye$/)
  expect(a.bus.peers()).toHaveLength(1)
  net.fate = (from, to) => ({ lost: from !== to })
  await pass(4000)
  expect(a.bus.peers()).toHaveLength(1)
  await pass(4000)
  expect([a.bus.peers(), c.bus.peers(), a.bus.isUnavailable()]).toEqual([[], [], false])
  expect(a.peers.at(-1)).toMatch(/silent$/)
})

test('notices to a node that was believed gone are detected as missed', async () => {
  const { net, a, b } = await pair()
  net.fate = (from, to) => ({ lost: from !== to })
  await pass(10_000)
  expect(a.bus.peers()).toEqual([])
  sendMany(a.bus, 0, 3)
  net.fate = () => ({})
  // A lone node is silent until its transport reconnects.
  net.ends[0]?.onConnected()
  await pass(2000)
  expect([a.bus.peers().length, b.bus.peers().length]).toEqual([1, 1])
  expect([b.numbers(), b.counts.missed, a.counts.missed]).toEqual([[], 1, 0])
})

test('a lost message is detected with the next packet, and a lost heartbeat does not count as missed', async () => {
  const { net, a, b } = await pair()
  net.fate = () => ({ lost: true })
  await pass(2000)
  net.fate = () => ({})
  await pass(2000)
  expect(b.counts.missed).toBe(0)
  net.fate = (_, to) => ({ lost: to === 1 })
  sendMany(a.bus, 0, 3)
  await pass(100)
  net.fate = () => ({})
  await pass(2000)
  expect([b.counts.missed, b.numbers()]).toEqual([1, []])
})

test('while the engine is down, the newest notices wait, and dropping the oldest is detected', async () => {
  const { net, a, b } = await pair()
  net.isDown = true
  const text = 'x'.repeat(100_000)
  for (let i = 0; i < 200; i++) sendNumber(a.bus, i, { text })
  a.bus.send({ kind: 'typing' }, { isTransient: true })
  await pass(4000)
  expect(a.bus.isUnavailable()).toBe(true)
  expect(a.counts.dropped).toBeGreaterThan(100)
  net.isDown = false
  await pass(3000)
  expect(a.bus.isUnavailable()).toBe(false)
  expect(b.numbers()).toEqual(range(200 - b.received.length, 200))
  expect(b.received.length).toBeGreaterThan(70)
  expect(b.counts.missed).toBe(1)
})

test('an engine that accepts everything but delivers nothing is detected by the missing echo', async () => {
  const { net, a, b } = await pair()
  net.isMute = true
  await pass(6000)
  expect([a.bus.isUnavailable(), b.bus.isUnavailable()]).toEqual([true, true])
  // The others may be alive, so no peer times out.
  await pass(20_000)
  expect([a.bus.peers().length, b.bus.peers().length]).toEqual([1, 1])
  sendMany(a.bus, 0, 10)
  await pass(100)
  net.isMute = false
  await pass(3000)
  expect([a.bus.isUnavailable(), b.bus.isUnavailable(), b.counts.missed]).toEqual([false, false, 1])
})

test('recorded, foreign, forged and empty packets change nothing', async () => {
  const { net, a, b } = await pair()
  sendMany(a.bus, 0, 3)
  await pass(100)
  const recorded = [...net.packets]
  const stranger = node(network(), 'another secret')
  await pass(100)
  const ignored = b.counts.ignored
  const foreign = createSeal('another secret', 'workspace').seal('{"v":1,"node":"x","n":1}\n[["number",7]]')
  const changed = Buffer.from(recorded.at(-1) as Buffer)
  changed[changed.length - 1] = (changed.at(-1) as number) ^ 1
  for (const packet of [...recorded, foreign, changed, Buffer.alloc(0), Buffer.alloc(100_000)])
    for (const { onPacket } of net.ends) onPacket(packet)
  await pass(100)
  expect(b.numbers()).toEqual([0, 1, 2])
  expect(b.counts.ignored - ignored).toBeGreaterThanOrEqual(5)
  // Recordings of a node that has left do not bring it back.
  await Promise.all([a.bus.close(), pass(100)])
  for (const packet of recorded) for (const { onPacket } of net.ends) onPacket(packet)
  // Nor do those from before this node started.
  const late = node(net)
  await pass(100)
  for (const packet of recorded) for (const { onPacket } of net.ends) onPacket(packet)
  await pass(100)
  expect([b.numbers(), late.numbers()]).toEqual([[0, 1, 2], []])
  expect(b.bus.peers()).toHaveLength(1)
  expect(stranger.bus.peers()).toEqual([])
})

test('an oversized notice and a failing handler affect no other notice', async () => {
  const { a, b } = await pair()
  vi.spyOn(b.received, 'push').mockImplementationOnce(() => {
    throw new Error('no such kind')
  })
  sendMany(a.bus, 0, 2)
  sendNumber(a.bus, 2, { text: 'x'.repeat(5_000_000) })
  sendMany(a.bus, 2, 3)
  await pass(100)
  expect([b.numbers(), b.counts.missed, a.counts.dropped]).toEqual([[1, 2], 1, 1])
})

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constant({ lost: true }) },
  { weight: 2, arbitrary: fc.record({ delayMs: fc.nat(500) }) },
  { weight: 1, arbitrary: fc.record({ delayMs: fc.nat(50), repeatMs: fc.nat(3000) }) },
)
const step = fc.record({
  who: fc.nat(2),
  count: fc.nat(5),
  pauseMs: fc.oneof(fc.nat(20), fc.nat(2000), fc.nat(9000)),
  isDown: fc.boolean(),
  isMute: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  reconnects: fc.boolean(),
  fates: fc.array(fate, { minLength: 1, maxLength: 7 }),
})

test('over any network, no notice is applied twice or out of order, and each loss is detected', {
  timeout: 300_000,
}, async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
    vi.useFakeTimers()
    const net = network()
    const nodes = [node(net), node(net), node(net)]
    await pass(200)
    const sent: { who: number; number: number; at: number }[] = []
    for (const { who, count, pauseMs, fates, isDown, isMute, reconnects } of steps) {
      let packets = 0
      Object.assign(net, { fate: () => fates[packets++ % fates.length] as Fate, isDown, isMute })
      for (let i = 0; i < count; i++) {
        const number = sent.push({ who, number: sent.length, at: performance.now() }) - 1
        sendNumber((nodes[who] as (typeof nodes)[0]).bus, number)
      }
      if (reconnects) net.ends[who]?.onConnected()
      await pass(pauseMs)
    }
    Object.assign(net, { fate: () => ({}), isDown: false, isMute: false })
    // Longer than any delay, and than the timeout of peers.
    await pass(40_000)
    for (const [to, { received, missedAt }] of nodes.entries()) {
      const heard = new Map(Map.groupBy(received, ({ from }) => from))
      for (const notices of heard.values()) {
        const numbers = notices.map(({ notice }) => notice.n as number)
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      }
      const all = new Set(received.map(({ notice }) => notice.n))
      for (const { who, number, at } of sent)
        if (who !== to && !all.has(number)) expect(missedAt.some((time) => time >= at)).toBe(true)
    }
    expect(nodes.map(({ bus }) => [bus.peers().length, bus.isUnavailable()])).toEqual(nodes.map(() => [2, false]))
    await Promise.all([...nodes.map(({ bus }) => bus.close()), pass(3000)])
  })
  await fc.assert(property, slowTries(150))
})
