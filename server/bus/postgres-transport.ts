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

/** PostgreSQL's limit for a payload is 7,999 bytes; the rest holds the chunk's number. */
const CHUNK_CHARACTERS = 7_900
const MAX_CHUNKS = Math.ceil((MAX_PACKET_BYTES * 4) / 3 / CHUNK_CHARACTERS) + 1
/** Keeps two nodes together below a thousand transactions a second. */
const INTERVAL_MS_PER_PEER = 2
/** The database drops a connection that hasn't read for this long, to free its notification queue. */
const TCP_USER_TIMEOUT_MS = 20_000
/** Ends statements in the database that already timed out here. */
const STATEMENT_TIMEOUT_MS = 5_000

const NOTIFY = 'select pg_notify($1, chunk) from unnest($2::text[]) as chunk'
const SETTINGS = {
  application_name: 'parley bus',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_session_timeout: '0',
  // Nothing is written, so there is nothing to flush.
  synchronous_commit: 'off',
}

/**
 * Sends packets as PostgreSQL notifications, over a dedicated connection. NOTIFY holds a database-wide lock until the commit is
 * flushed, so these transactions write nothing else and hold it for microseconds only.
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
        // Not supported on every system.
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

/** Each chunk starts with its number, because PostgreSQL drops duplicate notifications in a transaction. */
export function toChunks(packet: Buffer): string[] {
  const text = packet.toString('base64')
  const count = Math.max(1, Math.ceil(text.length / CHUNK_CHARACTERS))
  return Array.from(
    { length: count },
    (_, i) => `${i}/${count}:${text.slice(i * CHUNK_CHARACTERS, (i + 1) * CHUNK_CHARACTERS)}`,
  )
}

/** Notifications of one transaction arrive in sequence. Payloads that aren't our chunks pass through unchanged. */
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
