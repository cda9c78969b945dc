import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { createProxyMatcher, parseAddress, rateLimitKey } from '../http/client-address.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { Bounds } from './bounds.ts'

interface Connection {
  /** The address it counts towards; undefined for a proxy. */
  key: string | undefined
  /** Requests in progress: more than one if the client pipelines. */
  requests: number
}

/**
 * Limits idle connections: those that have not sent a request yet, and those kept alive for the next one. Beyond the limit of
 * their address, or of the server, the oldest is closed; a browser opens another when it needs one.
 * @param trustProxy proxies, which share their connections among clients: for them, only the total is limited
 */
export function limitConnections(
  server: Server,
  { idleConnections }: Pick<Bounds, 'idleConnections'>,
  trustProxy: string[],
) {
  const isProxy = createProxyMatcher(trustProxy)
  const connections = new WeakMap<Socket, Connection>()
  const all = new Set<Socket>()
  const ofAddress = new Map<string, Set<Socket>>()

  function enter(socket: Socket, { key }: Connection) {
    if (socket.destroyed) return
    all.add(socket)
    if (all.size > idleConnections.total) closeOldest(all)
    if (key === undefined) return
    const own = ofAddress.get(key) ?? new Set()
    ofAddress.set(key, own.add(socket))
    if (own.size > idleConnections.perAddress) closeOldest(own)
  }

  function leave(socket: Socket, { key }: Connection) {
    all.delete(socket)
    const own = key === undefined ? undefined : ofAddress.get(key)
    own?.delete(socket)
    if (key !== undefined && own?.size === 0) ofAddress.delete(key)
  }

  function closeOldest([oldest]: Set<Socket>) {
    const connection = oldest && connections.get(oldest)
    if (!connection) return
    leave(oldest, connection)
    oldest.destroy()
  }

  server.on('connection', (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress ?? '')
    const key = address === undefined || isProxy(address) ? undefined : rateLimitKey(address)
    const connection = { key, requests: 0 }
    connections.set(socket, connection)
    socket.once('close', () => leave(socket, connection))
    enter(socket, connection)
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)
    // Forwarded by another process, which holds the connection.
    if (!connection) return
    connection.requests++
    leave(socket, connection)
    onceClosed(response, () => {
      if (--connection.requests === 0) enter(socket, connection)
    })
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    const connection = connections.get(socket)
    if (connection) leave(socket, connection)
  })
}
