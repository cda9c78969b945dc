/** Of the protocol between nodes. Nodes fall back to the previous version while one of them knows no other. */
export const VERSION = 2

/** The first line of a packet; the second is an array of notices. */
export interface PacketHeader {
  /** The version of the notices. */
  v: number
  /** The latest version that the node knows; absent before version 2. */
  speaks?: number
  node: string
  /** The packet's number, starting at 1. A skipped number stands for dropped notices. */
  n: number
  /** The number of the node's previous packet that had notices, sent or dropped. */
  previous: number
  /** How many notices follow. */
  count: number
  /** Its known peers. Only in greetings. */
  peers?: string[]
  /** Whether it is the node's last. */
  isLast?: true
}

interface Peer {
  /** The latest version of the protocol that it knows. */
  speaks: number
  /** The number of the last packet received. */
  last: number
  /** It has greeted this node by name, which replayed packets of a dead node can't. */
  isConfirmed: boolean
  /** Notices were lost before it was confirmed. */
  hasMissed: boolean
  /** No packet received since this node reconnected. */
  isUncertain: boolean
  /** Number of our heartbeats since its last packet. */
  silentBeats: number
}

interface Events {
  onJoined(peer: string): void
  onLeft(peer: string, how: 'goodbye' | 'silent'): void
  onMissed(): void
  /** Broadcast the list of known peers. */
  greet(): void
}

const MAX_SILENT_BEATS = 5
const MAX_PEERS = 256
const MAX_REMEMBERED = 10_000
/** Minimum interval between greetings for nodes that don't know this one yet. */
const GREETING_INTERVAL_MS = 100

export type Peers = ReturnType<typeof createPeers>

/** Tracks the other nodes and the packets received from each. */
export function createPeers(self: string, { onJoined, onLeft, onMissed, greet }: Events) {
  const peers = new Map<string, Peer>()
  /** Last packet numbers of gone nodes: a node may come back, but its old packets must not be replayed. */
  const gone = new Map<string, number>()
  let greetedAt = Number.NEGATIVE_INFINITY

  function greetSoon(isNew: boolean) {
    if (!isNew && performance.now() - greetedAt < GREETING_INTERVAL_MS) return
    greetedAt = performance.now()
    greet()
  }

  /** Whether to apply a packet's notices. */
  function accept({ v, speaks = v, node, n, previous, count, peers: known, isLast }: PacketHeader): boolean {
    const found = peers.get(node)
    const last = found?.last ?? gone.get(node) ?? 0
    if (n <= last) return false
    if (!found && (isLast || peers.size >= MAX_PEERS)) {
      remember(node, n)
      return false
    }
    const peer = found ?? { speaks, last, isConfirmed: false, hasMissed: false, isUncertain: false, silentBeats: 0 }
    if (!found) peers.set(node, peer)
    const hasMissed = previous > peer.last
    Object.assign(peer, { speaks, last: n, silentBeats: 0, isUncertain: false })
    const namesUs = known?.includes(self) === true
    if (!found || (known && !namesUs)) greetSoon(!found)
    if (peer.isConfirmed) {
      if (hasMissed) onMissed()
      return true
    }
    peer.hasMissed ||= hasMissed
    if (!namesUs) {
      peer.hasMissed ||= count > 0
      return false
    }
    peer.isConfirmed = true
    onJoined(node)
    if (peer.hasMissed) onMissed()
    return true
  }

  function remember(node: string, n: number) {
    gone.delete(node)
    gone.set(node, n)
    if (gone.size > MAX_REMEMBERED) gone.delete(gone.keys().next().value as string)
  }

  function remove(node: string, how: 'goodbye' | 'silent') {
    const peer = peers.get(node)
    if (!peer) return
    peers.delete(node)
    remember(node, peer.last)
    if (!peer.isConfirmed) return
    onLeft(node, how)
    // This node may have missed its last notices.
    if (peer.isUncertain) onMissed()
  }

  return {
    accept,
    remove,
    count: () => peers.size,
    /** The latest version that all nodes know. */
    commonVersion: () => Math.min(VERSION, ...[...peers.values()].map(({ speaks }) => speaks)),
    known: () => [...peers.keys()],
    confirmed: () => [...peers].flatMap(([node, { isConfirmed }]) => (isConfirmed ? [node] : [])),
    /** @param isSilenceTheirs whether this node could receive packets since the last heartbeat */
    beat(isSilenceTheirs: boolean) {
      for (const [node, peer] of peers) {
        peer.silentBeats = isSilenceTheirs ? peer.silentBeats + 1 : 0
        if (peer.silentBeats > MAX_SILENT_BEATS) remove(node, 'silent')
      }
    },
    onConnected() {
      for (const peer of peers.values()) Object.assign(peer, { isUncertain: true, silentBeats: 0 })
    },
  }
}
