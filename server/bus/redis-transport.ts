import { isIP } from 'node:net'
import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from '../process/logger.ts'
import { keepConnected } from './keep-connected.ts'
import { MAX_PACKET_BYTES, type OpenTransport } from './transport.ts'

interface Options {
  /** `redis://` or `rediss://`. The database number doesn't matter: Pub/Sub is shared by all of them. */
  redisUrl: string
  /** The nodes of a workspace share it. */
  channel: string
  log: Logger
}

const DEFAULT_PORT = 6379

/**
 * Sends packets over Redis or Valkey Pub/Sub. One connection both subscribes and publishes (allowed since Redis 6), so a node
 * that can send can receive.
 */
export function openRedisTransport({ redisUrl, channel, log }: Options): OpenTransport {
  return ({ onPacket, onConnected, onDisconnected }) => {
    const connection = keepConnected<Redis>({
      create() {
        const client = new Redis(toOptions(redisUrl))
        client.on('messageBuffer', (_, packet: Buffer) => onPacket(packet))
        return { client, ended: new Promise((resolve) => client.once('end', resolve)) }
      },
      async connect(client) {
        // The promise below only reports that the connection closed.
        let reason: Error | undefined
        client.on('error', (error) => {
          reason = error
        })
        await client.connect().catch((error) => {
          throw reason ?? error
        })
        await client.subscribe(channel)
        if (client.mode === 'subscriber') throw new Error('REDIS_URL is not the address of Redis 6 or newer')
      },
      destroy(client) {
        client.disconnect()
        client.stream?.destroy()
      },
      ping: (client) => client.ping(),
      onConnected,
      onDisconnected,
      log,
    })

    return {
      intervalMsPerPeer: 0,
      async send(packet) {
        if (packet.length > MAX_PACKET_BYTES) throw new Error(`a packet of ${packet.length} bytes is too large`)
        await connection.request((client) => client.publish(channel, packet))
      },
      close: connection.close,
    }
  }
}

/** Connect once, without queueing or retrying commands. */
function toOptions(redisUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(redisUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(port || DEFAULT_PORT),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    ...(protocol === 'rediss:' && { tls: isIP(host) ? {} : { servername: host } }),
    connectionName: 'parley-bus',
    disableClientInfo: true,
    lazyConnect: true,
    retryStrategy: null,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    // Channels work while Redis still loads its data.
    enableReadyCheck: false,
  } satisfies RedisOptions
}
