import pg from 'pg'
import type { Logger } from '../process/logger.ts'
import { keepConnected } from './keep-connected.ts'
import { MAX_PACKET_BYTES, type OpenTransport } from './transport.ts'

interface Options {
  databaseUrl: string
  /** At most 63 letters, digits and underscores; the nodes of a workspace share it. */
  channel: string
  log: Logger
}

/** A payload has at most 7,999 bytes; the rest is for the chunk's number. */
const CHUNK_CHARACTERS = 7_900
const MAX_CHUNKS = Math.ceil((MAX_PACKET_BYTES * 4) / 3 / CHUNK_CHARACTERS) + 1
/** Keeps two nodes together below a thousand transactions a second. */
const INTERVAL_MS_PER_PEER = 2
/** The database closes the connection of a node that has not read for this long, so that its queue is not held. */
const TCP_USER_TIMEOUT_MS = 20_000
/** The database's own, for queries that were already given up here. */
const STATEMENT_TIMEOUT_MS = 5_000

const NOTIFY = 'select pg_notify($1, chunk) from unnest($2::text[]) as chunk'
const SETTINGS = {
  application_name: 'parley bus',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_session_timeout: '0',
  // Nothing is written, so nothing is to be flushed to disk.
  synchronous_commit: 'off',
}

/**
 * Packets as notifications of PostgreSQL, over a connection of its own. A transaction that notifies holds a lock of the
 * whole database until its commit is on disk. So it must do nothing else: then it has nothing to write, and holds the
 * lock for microseconds.
 */
export function openPostgresTransport({ databaseUrl, channel, log }: Options): OpenTransport {
  return ({ onPacket, onConnected, onDisconnected }) => {
    const connection = keepConnected<pg.Client>({
      create() {
        const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true })
        const joinChunks = createChunkJoiner(onPacket)
        client.on('notification', (notification) => {
          if (notification.channel === channel) joinChunks(notification.payload ?? '')
        })
        const ended = new Promise<void>((resolve) => {
          client.on('error', () => resolve())
          client.on('end', resolve)
        })
        return { client, ended }
      },
      async connect(client) {
        await client.connect()
        for (const [name, value] of Object.entries(SETTINGS))
          await client.query('select set_config($1, $2, false)', [name, value])
        // Not every system knows it.
        await client
          .query('select set_config($1, $2, false)', ['tcp_user_timeout', `${TCP_USER_TIMEOUT_MS}`])
          .catch(() => {})
        await client.query(`listen ${channel}`)
      },
      end: (client) => client.end(),
      destroy(client) {
        const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
        connection.stream.destroy()
      },
      ping: (client) => client.query('select 1'),
      onConnected,
      onDisconnected,
      log,
    })

    return {
      intervalMsPerPeer: INTERVAL_MS_PER_PEER,
      async send(packet) {
        if (packet.length > MAX_PACKET_BYTES) throw new Error(`a packet of ${packet.length} bytes is too large`)
        const values = [channel, toChunks(packet)]
        await connection.request((client) => client.query({ name: 'notify', text: NOTIFY, values }))
      },
      close: connection.close,
    }
  }
}

/** Each chunk begins with its number: PostgreSQL drops equal notifications of one transaction. */
export function toChunks(packet: Buffer): string[] {
  const text = packet.toString('base64')
  const count = Math.max(1, Math.ceil(text.length / CHUNK_CHARACTERS))
  return Array.from(
    { length: count },
    (_, i) => `${i}/${count}:${text.slice(i * CHUNK_CHARACTERS, (i + 1) * CHUNK_CHARACTERS)}`,
  )
}

/** The notifications of one transaction follow each other. What is none of our chunks is passed on as it is. */
export function createChunkJoiner(onPacket: (packet: Buffer) => void) {
  let parts: string[] = []
  return (payload: string) => {
    const [, index = '', count = '', text = ''] = /^(\d{1,4})\/(\d{1,4}):([\w+/=]*)$/.exec(payload) ?? []
    if (index === '' || Number(count) > MAX_CHUNKS) return onPacket(Buffer.from(payload))
    if (Number(index) !== parts.length) parts = []
    if (Number(index) !== parts.length) return onPacket(Buffer.from(payload))
    parts.push(text)
    if (parts.length < Number(count)) return undefined
    const packet = Buffer.from(parts.join(''), 'base64')
    parts = []
    return onPacket(packet)
  }
}
