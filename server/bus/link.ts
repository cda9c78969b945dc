import type { Seal } from '../config/seal.ts'
import type { Logger } from '../process/logger.ts'
import type { Bus, BusEvents, BusObserver } from './bus.ts'
import { createEchoes } from './echoes.ts'
import { createPeers, type PacketHeader, VERSION } from './peers.ts'
import { createSender } from './sender.ts'
import { MAX_PACKET_BYTES, type OpenTransport } from './transport.ts'
import { fromVersion1 } from './version-1.ts'

interface Options {
  /** This node's unique name, never reused. */
  node: string
  openTransport: OpenTransport
  seal: Seal
  events: BusEvents
  observer: BusObserver
  log: Logger
}

const HEARTBEAT_MS = 1_000
/** While the bus is unavailable, peers don't time out until this long has passed. */
const MAX_UNAVAILABLE_MS = 10 * 60_000

/**
 * Connects the nodes over any transport: numbers packets to detect losses, tracks peers, stays idle without any, and detects a
 * dead transport by its own echoes.
 */
export function openLink({ node, openTransport, seal, events, observer, log }: Options): Bus {
  let isForeignReported = false
  let beatAt = performance.now()

  const onMissed = () => {
    observer.onMissed()
    run(() => events.onMissed())
  }
  const peers = createPeers(node, {
    onJoined: (peer) => run(() => events.onPeerJoined(peer)),
    onLeft: (peer, how) => run(() => events.onPeerLeft(peer, how)),
    onMissed,
    greet: () => sender.greet(),
  })
  const echoes = createEchoes(observer, log)
  const transport = openTransport({ onPacket, onConnected, onDisconnected: () => echoes.onDisconnected(sender.last()) })
  const sender = createSender({ node, transport, seal, peers, echoes, observer })
  const heartbeat = setInterval(beat, HEARTBEAT_MS)
  heartbeat.unref()

  /** One failing handler must not stop the others. */
  function run(act: () => void) {
    try {
      act()
    } catch (error) {
      log.error({ err: error }, 'a notice of another node could not be applied')
    }
  }

  function onPacket(packet: Buffer) {
    const text = packet.length > MAX_PACKET_BYTES ? undefined : seal.open(packet)
    if (text === undefined) return onForeign()
    const end = text.indexOf('\n')
    const header: PacketHeader = JSON.parse(text.slice(0, end))
    if (header.node === node) return echoes.onEcho(header.n)
    if (!peers.accept(header)) return observer.onIgnored()
    // Notices in an unknown version are recovered from the database.
    if (header.v <= VERSION)
      for (const notice of JSON.parse(text.slice(end)))
        run(() => events.onNotice(header.v === VERSION ? notice : fromVersion1(notice), header.node))
    if (header.isLast) peers.remove(header.node, 'goodbye')
    return undefined
  }

  /** Sent by another program, or by a node with another secret. */
  function onForeign() {
    observer.onIgnored()
    if (!isForeignReported) log.warn('the bus carries packets that are not sealed with the secret of this node')
    isForeignReported = true
  }

  /** Peers time out by our own heartbeats, so a node that was suspended itself doesn't drop its peers. */
  function beat() {
    const sinceLast = performance.now() - beatAt
    beatAt = performance.now()
    echoes.check()
    if (echoes.waitedMs() > MAX_UNAVAILABLE_MS) for (const peer of peers.known()) peers.remove(peer, 'silent')
    peers.beat(!echoes.isUnavailable() && sinceLast < 3 * HEARTBEAT_MS)
    if (peers.count() > 0) sender.greet()
  }

  function onConnected() {
    echoes.onConnected(sender.current())
    peers.onConnected()
    sender.greet()
  }

  async function close() {
    await sender.close()
    clearInterval(heartbeat)
    await transport.close()
  }

  return { send: sender.send, peers: peers.confirmed, isUnavailable: echoes.isUnavailable, close }
}
