import pg from 'pg'
import type { Logger } from '../process/logger.ts'
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
/** For connecting, and for each query. */
const TIMEOUT_MS = 5_000
/** The database closes the connection of a node that has not read for this long, so that its queue is not held. */
const TCP_USER_TIMEOUT_MS = 20_000
/** A connection that is silent for longer is tested. */
const PING_INTERVAL_MS = 30_000
const FIRST_RETRY_MS = 50
const MAX_RETRY_MS = 5_000
const CLOSE_TIMEOUT_MS = 500

const SETTINGS = {
  application_name: 'parley bus',
  statement_timeout: String(TIMEOUT_MS),
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
  return ({ onPacket, onConnected }) => {
    /** The connection that listens. */
    let listener: pg.Client | undefined
    let isClosed = false
    let wake = () => {}
    let activeAt = performance.now()

    async function connect() {
      const client = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: TIMEOUT_MS,
        query_timeout: TIMEOUT_MS,
        keepAlive: true,
      })
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', resolve)
      })
      const joinChunks = createChunkJoiner(onPacket)
      client.on('notification', (notification) => {
        activeAt = performance.now()
        if (notification.channel === channel) joinChunks(notification.payload ?? '')
      })
      try {
        await client.connect()
        for (const [name, value] of Object.entries(SETTINGS))
          await client.query('select set_config($1, $2, false)', [name, value])
        // Not every system knows it.
        await client
          .query('select set_config($1, $2, false)', ['tcp_user_timeout', `${TCP_USER_TIMEOUT_MS}`])
          .catch(() => {})
        await client.query(`listen ${channel}`)
      } catch (error) {
        destroy(client)
        throw error
      }
      return { client, ended }
    }

    async function keepConnected() {
      for (let failures = 0; !isClosed; ) {
        try {
          const { client, ended } = await connect()
          failures = 0
          if (!isClosed) {
            listener = client
            onConnected()
            await ended
            listener = undefined
          }
          destroy(client)
        } catch (error) {
          if (failures++ === 0 && !isClosed) log.warn({ reason: (error as Error).message }, 'the bus is not connected')
        }
        const delayMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS)
        if (!isClosed) await pause(delayMs * (0.5 + Math.random() / 2))
      }
    }

    const pause = (ms: number) =>
      new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, ms).unref()
      })

    /** A connection that does not answer is given up. */
    async function query(text: string, values: unknown[]) {
      const client = listener
      if (!client) throw new Error('the bus is not connected')
      activeAt = performance.now()
      await client.query(text, values).catch((error) => {
        if (/timeout/.test(error.message)) destroy(client)
        throw error
      })
    }

    const ping = setInterval(() => {
      if (listener && performance.now() - activeAt >= PING_INTERVAL_MS) query('select 1', []).catch(() => {})
    }, PING_INTERVAL_MS)
    ping.unref()
    const connecting = keepConnected()

    return {
      intervalMsPerPeer: INTERVAL_MS_PER_PEER,
      async send(packet) {
        if (packet.length > MAX_PACKET_BYTES) throw new Error(`a packet of ${packet.length} bytes is too large`)
        await query('select pg_notify($1, chunk) from unnest($2::text[]) as chunk', [channel, toChunks(packet)])
      },
      async close() {
        isClosed = true
        clearInterval(ping)
        wake()
        const client = listener
        if (client) {
          const ending = client.end().catch(() => {})
          await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())])
          destroy(client)
          await connecting
        }
      },
    }
  }
}

/** Without waiting for an answer, which may never come. */
function destroy(client: pg.Client) {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
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
