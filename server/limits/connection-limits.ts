import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { createProxyMatcher, parseAddress, rateLimitKey } from '../http/client-address.ts'
import { onceClosed } from '../http/once-closed.ts'
import type { Bounds } from './bounds.ts'

interface Connection {
  socket: Socket
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
  const connections = new Map<string, Connection>()
  const all = new Set<Connection>()
  const ofAddress = new Map<string, Set<Connection>>()

  function enter(connection: Connection) {
    const { socket, key } = connection
    if (socket.destroyed) return
    all.add(connection)
    if (all.size > idleConnections.total) closeOldest(all)
    if (key === undefined) return
    const own = ofAddress.get(key) ?? new Set()
    ofAddress.set(key, own.add(connection))
    if (own.size > idleConnections.perAddress) closeOldest(own)
  }

  function leave(connection: Connection) {
    const { key } = connection
    all.delete(connection)
    const own = key === undefined ? undefined : ofAddress.get(key)
    own?.delete(connection)
    if (key !== undefined && own?.size === 0) ofAddress.delete(key)
  }

  function closeOldest([oldest]: Set<Connection>) {
    if (!oldest) return
    leave(oldest)
    oldest.socket.destroy()
  }

  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    const address = parseAddress(socket.remoteAddress ?? '')
    const key = address === undefined || isProxy(address) ? undefined : rateLimitKey(address)
    const connection = { socket, key, requests: 0 }
    connections.set(name, connection)
    socket.once('close', () => {
      if (connections.get(name) === connection) connections.delete(name)
      leave(connection)
    })
    enter(connection)
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(nameOf(socket))
    // Forwarded by another process, which holds the connection.
    if (!connection) return
    connection.requests++
    leave(connection)
    onceClosed(response, () => {
      if (--connection.requests === 0) enter(connection)
    })
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    const connection = connections.get(nameOf(socket))
    if (connection) leave(connection)
  })
}

/** Identifies a connection by its two ends. With TLS, its requests come from another object than the connection itself. */
const nameOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
