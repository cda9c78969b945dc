/**
 * Delivers packets to all nodes, including this one: in order per sender, at most once. `peers.ts` detects lost packets.
 */
export interface Transport {
  /** Resolves once the engine has accepted the packet. After a rejection the same packet may be sent again. */
  send(packet: Buffer): Promise<void>
  /** Resolves within a second, even if the engine hangs. */
  close(): Promise<void>
  /** The minimum interval between this node's packets, per peer. */
  intervalMsPerPeer: number
}

export interface TransportEvents {
  /** The packet is unauthenticated. */
  onPacket(packet: Buffer): void
  /** Called for each connection. Packets before it may be lost. */
  onConnected(): void
  /** The connection was lost. Not called before the first one. */
  onDisconnected(): void
}

/** Connects in the background, and again whenever the connection is lost. */
export type OpenTransport = (events: TransportEvents) => Transport

/** Larger packets are rejected. */
export const MAX_PACKET_BYTES = 4 * 1024 * 1024
