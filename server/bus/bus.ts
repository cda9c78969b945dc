/** A JSON object that a node broadcasts to the others. Nodes ignore kinds and fields they don't know. */
export interface BusNotice {
  readonly kind: string
}

export interface SendOptions {
  /** Short-lived, such as typing: dropped first, without a gap in the numbering. */
  isTransient?: boolean
}

/**
 * Broadcasts to the other nodes of a workspace within milliseconds. Best effort: callers never wait, and lost notices are
 * recovered by polling for changes and by clients that refetch.
 */
export interface Bus {
  /** To all other nodes, in order. Never throws. Call it after the commit. */
  send(notice: BusNotice, options?: SendOptions): void
  /** The other live nodes, without this one. */
  peers(): string[]
  /** Whether this node's own packets fail to come back. Other nodes' packets are probably lost as well. */
  isUnavailable(): boolean
  /** Says goodbye. Resolves within two seconds. */
  close(): Promise<void>
}

export interface BusEvents {
  /** The notices of one node arrive in its order, each once. */
  onNotice(notice: BusNotice, from: string): void
  onPeerJoined(peer: string): void
  /** @param how it said goodbye, or timed out */
  onPeerLeft(peer: string, how: 'goodbye' | 'silent'): void
  /** Notices may have been lost. */
  onMissed(): void
}

/** Metrics hooks. */
export interface BusObserver {
  /** Round-trip time of a packet through the engine. */
  onEcho(seconds: number): void
  onMissed(): void
  /** Notices that were not sent. */
  onDropped(count: number): void
  /** A foreign or repeated packet. */
  onIgnored(): void
  onSent(bytes: number): void
}
