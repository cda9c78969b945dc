import type { Seal } from '../config/seal.ts'
import type { BusNotice, BusObserver, SendOptions } from './bus.ts'
import type { Echoes } from './echoes.ts'
import { type PacketHeader, type Peers, VERSION } from './peers.ts'
import { createSendQueue } from './send-queue.ts'
import { MAX_PACKET_BYTES, type Transport } from './transport.ts'
import { toVersion1 } from './version-1.ts'

interface Options {
  node: string
  transport: Transport
  seal: Seal
  peers: Peers
  echoes: Echoes
  observer: BusObserver
}

const MAX_QUEUE_BYTES = 8 * 1024 * 1024
/** Above this, transient notices are dropped. */
const MAX_TRANSIENT_QUEUE_BYTES = 1024 * 1024
/** Below the transport's limit, to leave room for sealing and encoding. */
const MAX_NOTICE_BYTES = MAX_PACKET_BYTES - 64 * 1024
const BATCH_BYTES = 256 * 1024
const RETRY_MS = 200
/** After this long, a packet that fails to send is dropped, in case it is the cause. */
const MAX_PACKET_AGE_MS = 30_000
const CLOSE_TIMEOUT_MS = 1_000

/** Sends this node's notices and greetings in numbered packets, one after the other. */
export function createSender({ node, transport, seal, peers, echoes, observer }: Options) {
  const queue = createSendQueue(MAX_QUEUE_BYTES)
  /** The packet being sent. */
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

  function drop(count: number) {
    observer.onDropped(count)
    hasSkipped = true
  }

  function send(notice: BusNotice, { isTransient = false }: SendOptions = {}) {
    if (isClosed) return
    // A node that timed out may still be alive; it will notice the skipped number.
    if (peers.count() === 0) {
      hasSkipped ||= !isTransient
      return
    }
    const isFull = echoes.isUnavailable() || queue.bytes() > MAX_TRANSIENT_QUEUE_BYTES
    if (isTransient && isFull) return observer.onDropped(1)
    const json = JSON.stringify(notice)
    if (Buffer.byteLength(json) > MAX_NOTICE_BYTES) return drop(1)
    const dropped = queue.push(json)
    if (dropped > 0) drop(dropped)
    scheduleFlush()
  }

  function greet() {
    isGreetingDue = true
    scheduleFlush()
  }

  /** Batches all notices of one turn of the event loop into one packet. */
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
      echoes.onSent(current.n, startedAt)
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

  /** Says goodbye to any peers. */
  async function close() {
    isLeaving = true
    isGreetingDue ||= peers.count() > 0
    scheduleFlush()
    const ended = async () => {
      while (isFlushScheduled || flushing) await (flushing ?? pause(1))
    }
    await Promise.race([ended(), pause(CLOSE_TIMEOUT_MS)])
    isClosed = true
    queue.clear()
  }

  return { send, greet, close, last: () => n, current: () => current?.n }
}

const pause = (ms: number) =>
  ms > 0 ? new Promise<void>((resolve) => void setTimeout(resolve, ms).unref()) : Promise.resolve()
