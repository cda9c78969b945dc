/** Of the protocol between nodes. The one before is spoken, too, while there are nodes that know no other. */
export const VERSION = 2

/** The first line of a packet; the second is an array of notices. */
export interface PacketHeader {
  /** The version of the notices. */
  v: number
  /** The latest version that the node knows; nodes before version 2 do not say it. */
  speaks?: number
  node: string
  /** The packet's number; a node's first is 1. A skipped number stands for notices that were not sent. */
  n: number
  /** The number of the node's previous packet with notices, sent or not; those without need not be missed. */
  previous: number
  /** How many notices follow. */
  count: number
  /** The nodes it knows. Only in greetings. */
  peers?: string[]
  /** It is the node's last. */
  isLast?: true
}

interface Peer {
  /** The latest version of the protocol that it knows. */
  speaks: number
  /** The number of the last packet heard. */
  last: number
  /** It has named this node, so it is alive: recorded packets of nodes that are gone cannot. */
  isConfirmed: boolean
  /** Notices were lost before it was confirmed. */
  hasMissed: boolean
  /** Nothing was heard of it since this node connected again. */
  isUncertain: boolean
  /** Our heartbeats since its last packet. */
  silentBeats: number
}

interface Events {
  onJoined(peer: string): void
  onLeft(peer: string, how: 'goodbye' | 'silent'): void
  onMissed(): void
  /** Tell the others which nodes this one knows. */
  greet(): void
}

const MAX_SILENT_BEATS = 5
const MAX_PEERS = 256
const MAX_REMEMBERED = 10_000
/** Between two greetings for nodes that do not know this one yet. */
const GREETING_INTERVAL_MS = 100

export type Peers = ReturnType<typeof createPeers>

/** The other nodes, and what was heard of each. */
export function createPeers(self: string, { onJoined, onLeft, onMissed, greet }: Events) {
  const peers = new Map<string, Peer>()
  /** The last packets of nodes that are gone: they may come back, and recordings of them may not. */
  const gone = new Map<string, number>()
  let greetedAt = Number.NEGATIVE_INFINITY

  function greetSoon(isNew: boolean) {
    if (!isNew && performance.now() - greetedAt < GREETING_INTERVAL_MS) return
    greetedAt = performance.now()
    greet()
  }

  /** Whether a packet's notices are to be applied. */
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
    // Its last notices may be among those that this node missed.
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
    /** @param isSilenceTheirs whether this node would have heard them since the last heartbeat */
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
