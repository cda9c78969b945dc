import type { SendHandle } from 'node:child_process'
import { Socket, type SocketConstructorOpts } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * The operating system's handle of a TCP connection. Sending it to another process copies it, so the sender closes its own. A
 * `Socket` could be sent as well, but then the receiver would start reading from it, which must not happen in between.
 */
export interface Handle {
  close(): void
}

/** The handle of an open connection; undefined once it is closed. */
export const handleOf = (socket: Duplex) => (socket as Duplex & { _handle?: Handle | null })._handle ?? undefined

export const toSend = (handle: Handle) => handle as unknown as SendHandle

/** @param bytes already read from the connection by another process */
export function openSocket(handle: object, bytes: Buffer): Socket {
  const options = { handle, readable: true, writable: true, allowHalfOpen: true }
  const socket = new Socket(options as SocketConstructorOpts)
  if (bytes.length > 0) socket.unshift(bytes)
  return socket
}
