import { retryDelay } from '#contract/retry-delay'
import type { Logger } from '../process/logger.ts'

interface Options<Client> {
  /** Returns an unconnected client. `ended` resolves when its connection is lost. */
  create(): { client: Client; ended: Promise<void> }
  /** Connects a client. Packets arrive once it resolves. */
  connect(client: Client): Promise<unknown>
  /** Disconnects cleanly. */
  end?(client: Client): Promise<unknown>
  /** Closes the connection without waiting for an answer, which may never come. */
  destroy(client: Client): void
  /** A request without effect. */
  ping(client: Client): Promise<unknown>
  onConnected(): void
  onDisconnected(): void
  log: Logger
}

/** For connecting, and for each request. */
const TIMEOUT_MS = 5_000
/** Idle connections are pinged this often. */
const PING_INTERVAL_MS = 30_000
const RETRY = { firstMs: 50, maxMs: 5_000 }
const CLOSE_TIMEOUT_MS = 500

/**
 * Keeps a transport connected to its engine: connects in the background, and reconnects when the connection is lost or times
 * out. Each connection gets a new client, so nothing is replayed from the last one.
 */
export function keepConnected<Client>(options: Options<Client>) {
  const { create, connect, end, destroy, ping, onConnected, onDisconnected, log } = options
  let current: Client | undefined
  let isClosed = false
  let wake = () => {}
  let requestedAt = performance.now()

  async function run() {
    for (let failures = 0; !isClosed; ) {
      const { client, ended } = create()
      try {
        await inTime(connect(client), client)
        failures = 0
        if (!isClosed) {
          current = client
          onConnected()
          await ended
          current = undefined
          if (!isClosed) onDisconnected()
        }
      } catch (error) {
        if (failures++ === 0 && !isClosed) log.warn({ reason: (error as Error).message }, 'the bus is not connected')
      }
      destroy(client)
      if (!isClosed) await pause(retryDelay(failures + 1, RETRY))
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve
      setTimeout(resolve, ms).unref()
    })

  /** Drops a connection that doesn't answer in time. */
  function inTime<T>(answer: Promise<T>, client: Client): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        destroy(client)
        reject(new Error(`no answer within ${TIMEOUT_MS} ms`))
      }, TIMEOUT_MS)
      answer.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }

  /** Rejects if there is no connection, or no answer within five seconds. */
  async function request<T>(act: (client: Client) => Promise<T>): Promise<T> {
    if (!current) throw new Error('the bus is not connected')
    requestedAt = performance.now()
    return inTime(act(current), current)
  }

  async function testConnection() {
    if (current && performance.now() - requestedAt >= PING_INTERVAL_MS) await request(ping)
  }

  const pings = setInterval(() => testConnection().catch(() => {}), PING_INTERVAL_MS)
  pings.unref()
  const running = run()

  return {
    request,
    /** Resolves within a second. */
    async close() {
      isClosed = true
      clearInterval(pings)
      wake()
      const client = current
      if (!client) return
      const timeout = new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())
      await Promise.race([end?.(client).catch(() => {}), timeout])
      destroy(client)
      await running
    },
  }
}
