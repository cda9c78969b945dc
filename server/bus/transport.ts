/**
 * Carries packets to all nodes, this one included: each sender's in order and at most once. A packet may be lost, and its
 * loss is noticed by `peers.ts`.
 */
export interface Transport {
  /** Resolves once the engine has the packet. Rejects if it may not have it; the same packet may be sent again. */
  send(packet: Buffer): Promise<void>
  /** Resolves within a second, whatever the engine does. */
  close(): Promise<void>
  /** The shortest time between two packets of this node, for each of the other nodes. */
  intervalMsPerPeer: number
}

export interface TransportEvents {
  /** Anybody may have sent it. */
  onPacket(packet: Buffer): void
  /** Packets arrive from now on; those of before may be lost. Called for each connection. */
  onConnected(): void
  /** The connection was lost. Not called before the first one. */
  onDisconnected(): void
}

/** Connects in the background, and again whenever the connection is lost. */
export type OpenTransport = (events: TransportEvents) => Transport

/** Larger packets are refused. */
export const MAX_PACKET_BYTES = 4 * 1024 * 1024
