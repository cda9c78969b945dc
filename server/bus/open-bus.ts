import type { Logger } from '../process/logger.ts'
import type { Bus, BusEvents, BusObserver } from './bus.ts'
import { openLink } from './link.ts'
import { openPostgresTransport } from './postgres-transport.ts'
import { createSeal } from './seal.ts'

interface Options {
  /** The name of this node, which no other one has or had. */
  node: string
  /** Of the engine that carries it: PostgreSQL or Redis. */
  url: string
  secret: string
  /** Identifies the workspace's database; a copy has another one. */
  epoch: string
  log: Logger
  observer: BusObserver
}

export interface StartableBus extends Bus {
  /** Until then nothing is sent. Resolves when the bus is connected, or after a second. */
  start(events: BusEvents): Promise<void>
}

const START_TIMEOUT_MS = 1_000

/** The library of Redis is loaded only where it is used. */
async function transportOf(url: string, channel: string, log: Logger) {
  if (/^postgres/.test(url)) return openPostgresTransport({ databaseUrl: url, channel, log })
  const { openRedisTransport } = await import('./redis-transport.ts')
  return openRedisTransport({ redisUrl: url, channel, log })
}

/** The bus of the nodes that share a database. */
export function openBus({ node, url, secret, epoch, log, observer }: Options): StartableBus {
  let link: Bus | undefined
  const channel = `parley_${epoch.replaceAll('-', '')}`

  async function start(events: BusEvents) {
    const { promise: connected, resolve } = Promise.withResolvers<void>()
    const openTransport = await transportOf(url, channel, log)
    link = openLink({
      node,
      openTransport: (on) =>
        openTransport({
          ...on,
          onConnected() {
            on.onConnected()
            resolve()
          },
        }),
      seal: createSeal(secret, epoch),
      events,
      observer,
      log,
    })
    await Promise.race([connected, new Promise((done) => setTimeout(done, START_TIMEOUT_MS).unref())])
  }

  return {
    start,
    send: (message, options) => link?.send(message, options),
    peers: () => link?.peers() ?? [],
    isUnavailable: () => link?.isUnavailable() ?? false,
    close: async () => link?.close(),
  }
}
