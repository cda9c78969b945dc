import type { Logger } from '../process/logger.ts'
import type { Bus, BusEvents, BusNotice, BusObserver, SendOptions } from './bus.ts'
import { createPeers, type PacketHeader, VERSION } from './peers.ts'
import type { Seal } from './seal.ts'
import { createSendQueue } from './send-queue.ts'
import { MAX_PACKET_BYTES, type OpenTransport } from './transport.ts'
import { fromVersion1, toVersion1 } from './version-1.ts'

interface Options {
  /** The name of this node, which no other one has or had. */
  node: string
  openTransport: OpenTransport
  seal: Seal
  events: BusEvents
  observer: BusObserver
  log: Logger
}

const HEARTBEAT_MS = 1_000
/** A packet that has not come back for this long makes the bus unavailable. */
const ECHO_TIMEOUT_MS = 3_000
const MAX_ECHOES = 1_000
const MAX_QUEUE_BYTES = 8 * 1024 * 1024
/** With more in the queue transient notices are dropped. */
const MAX_TRANSIENT_QUEUE_BYTES = 1024 * 1024
/** Less than the transport takes, because sealing and encoding add some. */
const MAX_NOTICE_BYTES = MAX_PACKET_BYTES - 64 * 1024
const BATCH_BYTES = 256 * 1024
const RETRY_MS = 200
/** A packet that cannot be sent for this long is dropped, in case it is the reason. */
const MAX_PACKET_AGE_MS = 30_000
/** While the bus is unavailable nobody is given up, but not for ever. */
const MAX_UNAVAILABLE_MS = 10 * 60_000
const CLOSE_TIMEOUT_MS = 1_000

/**
 * Connects the nodes over any transport. It numbers packets, so that losses are noticed; knows who is there, and is
 * silent if nobody is; and hears its own packets, so that a dead transport is noticed, however it died.
 */
export function openLink({ node, openTransport, seal, events, observer, log }: Options): Bus {
  const queue = createSendQueue(MAX_QUEUE_BYTES)
  /** The packet that is being sent, until the transport has it. */
  let current: { packet: Buffer; n: number; since: number } | undefined
  let n = 0
  let previous = 0
  /** Notices were dropped since the last packet. */
  let hasSkipped = false
  let isGreetingDue = false
  let isLeaving = false
  let isClosed = false
  let flushing: Promise<void> | undefined
  let isFlushScheduled = false
  let isUnavailable = false
  let isForeignReported = false
  let beatAt = performance.now()
  /** When packets were sent that have not come back, by their numbers. Nothing comes back before there is a connection. */
  const sentAt = new Map<number, number>([[0, beatAt]])

  const onMissed = () => {
    observer.onMissed()
    run(() => events.onMissed())
  }
  const peers = createPeers(node, {
    onJoined: (peer) => run(() => events.onPeerJoined(peer)),
    onLeft: (peer, how) => run(() => events.onPeerLeft(peer, how)),
    onMissed,
    greet: () => {
      isGreetingDue = true
      scheduleFlush()
    },
  })

  /** A handler's error must not stop the others. */
  function run(act: () => void) {
    try {
      act()
    } catch (error) {
      log.error({ err: error }, 'a notice of another node could not be applied')
    }
  }

  function drop(count: number) {
    observer.onDropped(count)
    hasSkipped = true
  }

  function send(notice: BusNotice, { isTransient = false }: SendOptions = {}) {
    if (isClosed) return
    // A node that was thought gone may still be there; it will notice the number.
    if (peers.count() === 0) {
      hasSkipped ||= !isTransient
      return
    }
    if (isTransient && (isUnavailable || queue.bytes() > MAX_TRANSIENT_QUEUE_BYTES)) return observer.onDropped(1)
    const json = JSON.stringify(notice)
    if (Buffer.byteLength(json) > MAX_NOTICE_BYTES) return drop(1)
    const dropped = queue.push(json)
    if (dropped > 0) drop(dropped)
    scheduleFlush()
  }

  /** What is sent in one turn of the event loop goes in one packet. */
  function scheduleFlush() {
    if (isFlushScheduled || flushing || isClosed) return
    isFlushScheduled = true
    setImmediate(() => {
      isFlushScheduled = false
      flushing ??= flush().finally(() => {
        flushing = undefined
      })
    })
  }

  async function flush() {
    while (!isClosed && (current || isGreetingDue || !queue.isEmpty())) {
      const startedAt = performance.now()
      current ??= nextPacket()
      const { packet, since } = current
      if (!sentAt.has(current.n) && sentAt.size < MAX_ECHOES) sentAt.set(current.n, startedAt)
      try {
        await transport.send(packet)
        observer.onSent(packet.length)
        current = undefined
      } catch {
        if (performance.now() - since > MAX_PACKET_AGE_MS) current = undefined
        await pause(RETRY_MS)
      }
      await pause(transport.intervalMsPerPeer * peers.count() - (performance.now() - startedAt))
    }
  }

  function nextPacket() {
    n++
    if (hasSkipped) previous = n++
    hasSkipped = false
    const { count, json } = queue.take(BATCH_BYTES)
    const version = peers.commonVersion()
    const header: PacketHeader = {
      v: version,
      speaks: VERSION,
      node,
      n,
      previous,
      count,
      ...(isGreetingDue && { peers: peers.known() }),
      ...(isLeaving && queue.isEmpty() && { isLast: true }),
    }
    isGreetingDue = false
    if (count > 0) previous = n
    const body = version === VERSION ? json : JSON.stringify(JSON.parse(json).map(toVersion1))
    return { packet: seal.seal(`${JSON.stringify(header)}\n${body}`), n, since: performance.now() }
  }

  function onPacket(packet: Buffer) {
    const text = packet.length > MAX_PACKET_BYTES ? undefined : seal.open(packet)
    if (text === undefined) return onForeign()
    const end = text.indexOf('\n')
    const header: PacketHeader = JSON.parse(text.slice(0, end))
    if (header.node === node) return onEcho(header.n)
    if (!peers.accept(header)) return observer.onIgnored()
    // What nodes of an unknown version send comes from the database.
    if (header.v <= VERSION)
      for (const notice of JSON.parse(text.slice(end)))
        run(() => events.onNotice(header.v === VERSION ? notice : fromVersion1(notice), header.node))
    if (header.isLast) peers.remove(header.node, 'goodbye')
    return undefined
  }

  /** Another program's, or a node's with another secret. */
  function onForeign() {
    observer.onIgnored()
    if (!isForeignReported) log.warn('the bus carries packets that are not sealed with the secret of this node')
    isForeignReported = true
  }

  function onEcho(echoed: number) {
    const sent = sentAt.get(echoed)
    if (sent !== undefined) observer.onEcho((performance.now() - sent) / 1000)
    for (const it of sentAt.keys()) if (it <= echoed) sentAt.delete(it)
    checkEcho()
  }

  function checkEcho() {
    const [oldest = Number.POSITIVE_INFINITY] = sentAt.values()
    const isLate = performance.now() - oldest > ECHO_TIMEOUT_MS
    if (isLate === isUnavailable) return
    isUnavailable = isLate
    if (isLate)
      log.warn('nothing that this node sends to the bus comes back: events of other nodes arrive a little later')
    else log.info('the bus is available again')
  }

  /** Silence is counted in our own heartbeats: a node that was suspended itself must not give up the others. */
  function beat() {
    const sinceLast = performance.now() - beatAt
    beatAt = performance.now()
    checkEcho()
    const [oldest = beatAt] = sentAt.values()
    if (beatAt - oldest > MAX_UNAVAILABLE_MS) for (const peer of peers.known()) peers.remove(peer, 'silent')
    peers.beat(!isUnavailable && sinceLast < 3 * HEARTBEAT_MS)
    if (peers.count() === 0) return
    isGreetingDue = true
    scheduleFlush()
  }

  function onConnected() {
    // What has not come back may be lost, and the other nodes hear of it by its number.
    for (const it of sentAt.keys()) if (it !== current?.n) sentAt.delete(it)
    peers.onConnected()
    isGreetingDue = true
    scheduleFlush()
  }

  /** What has not come back may be lost. A later packet takes its place, and shows that the connection works again. */
  function onDisconnected() {
    if (sentAt.size === 0) sentAt.set(n, performance.now())
  }

  async function close() {
    isLeaving = true
    isGreetingDue ||= peers.count() > 0
    scheduleFlush()
    const ended = async () => {
      while (isFlushScheduled || flushing) await (flushing ?? pause(1))
    }
    await Promise.race([ended(), pause(CLOSE_TIMEOUT_MS)])
    isClosed = true
    clearInterval(heartbeat)
    queue.clear()
    await transport.close()
  }

  const transport = openTransport({ onPacket, onConnected, onDisconnected })
  const heartbeat = setInterval(beat, HEARTBEAT_MS)
  heartbeat.unref()
  return { send, peers: peers.confirmed, isUnavailable: () => isUnavailable, close }
}

const pause = (ms: number) =>
  ms > 0 ? new Promise<void>((resolve) => void setTimeout(resolve, ms).unref()) : Promise.resolve()
