import type { Logger } from '../process/logger.ts'
import type { Bus, BusEvents, BusObserver } from './bus.ts'
import { openLink } from './link.ts'
import { openPostgresTransport } from './postgres-transport.ts'
import { createSeal } from './seal.ts'

interface Options {
  databaseUrl: string
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

/** The bus of the nodes that share a database. */
export function openBus({ databaseUrl, secret, epoch, log, observer }: Options): StartableBus {
  let link: Bus | undefined
  const channel = `parley_${epoch.replaceAll('-', '')}`

  async function start(events: BusEvents) {
    const { promise: connected, resolve } = Promise.withResolvers<void>()
    const openTransport = openPostgresTransport({ databaseUrl, channel, log })
    link = openLink({
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
