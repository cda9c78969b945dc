/** A JSON value. The first entry names its kind; kinds that a node does not know are ignored. */
export type BusMessage = readonly [kind: string, ...unknown[]]

export interface SendOptions {
  /** Soon outdated, such as typing: dropped first, and not missed. */
  isTransient?: boolean
}

/**
 * Tells the other nodes of a workspace what happened, within milliseconds. It is never waited for, and nothing depends on
 * it: what gets lost arrives by the polls for changes, and by clients that refetch.
 */
export interface Bus {
  /** To all other nodes, in order. Never throws. Call it after the commit. */
  send(message: BusMessage, options?: SendOptions): void
  /** The other live nodes, without this one. */
  peers(): string[]
  /** Whether this node's own packets do not come back, so nobody knows what the other nodes send. */
  isUnavailable(): boolean
  /** Says goodbye. Resolves within two seconds. */
  close(): Promise<void>
}

export interface BusEvents {
  /** Messages of one node arrive in its order, each once. */
  onMessage(message: BusMessage, from: string): void
  onPeerJoined(peer: string): void
  /** @param how it said goodbye, or is silent for too long */
  onPeerLeft(peer: string, how: 'goodbye' | 'silent'): void
  /** Messages may have been lost. */
  onMissed(): void
}

/** Counts what happens. */
export interface BusObserver {
  /** How long a packet of this node took to come back. */
  onEcho(seconds: number): void
  onMissed(): void
  /** Messages that were not sent. */
  onDropped(count: number): void
  /** A packet that is not ours, or was repeated. */
  onIgnored(): void
  onSent(bytes: number): void
}
