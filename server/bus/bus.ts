/** What a node tells the others, in JSON. Kinds and fields that a node does not know are ignored. */
export interface BusNotice {
  readonly kind: string
}

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
  send(notice: BusNotice, options?: SendOptions): void
  /** The other live nodes, without this one. */
  peers(): string[]
  /** Whether this node's own packets do not come back, so nobody knows what the other nodes send. */
  isUnavailable(): boolean
  /** Says goodbye. Resolves within two seconds. */
  close(): Promise<void>
}

export interface BusEvents {
  /** The notices of one node arrive in its order, each once. */
  onNotice(notice: BusNotice, from: string): void
  onPeerJoined(peer: string): void
  /** @param how it said goodbye, or is silent for too long */
  onPeerLeft(peer: string, how: 'goodbye' | 'silent'): void
  /** Notices may have been lost. */
  onMissed(): void
}

/** Counts what happens. */
export interface BusObserver {
  /** How long a packet of this node took to come back. */
  onEcho(seconds: number): void
  onMissed(): void
  /** Notices that were not sent. */
  onDropped(count: number): void
  /** A packet that is not ours, or was repeated. */
  onIgnored(): void
  onSent(bytes: number): void
}
