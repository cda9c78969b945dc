import { createSeal } from '../config/seal.ts'
import type { Logger } from '../process/logger.ts'
import type { Bus, BusEvents, BusObserver } from './bus.ts'
import { openLink } from './link.ts'
import { openPostgresTransport } from './postgres-transport.ts'

interface Options {
  /** This node's unique name, never reused. */
  node: string
  /** The URL of the engine: PostgreSQL or Redis. */
  url: string
  secret: string
  /** Identifies the database, so that a copy on the same Redis stays separate. */
  epoch: string
  log: Logger
  observer: BusObserver
}

export interface StartableBus extends Bus {
  /** Nothing is sent before. Resolves when the bus is connected, or after a second. */
  start(events: BusEvents): Promise<void>
  /** Switches to the peers of another epoch of the database. */
  follow(epoch: string): Promise<void>
}

const START_TIMEOUT_MS = 1_000

/** Loads the Redis client only if it is needed. */
async function transportOf(url: string, channel: string, log: Logger) {
  if (/^postgres/.test(url)) return openPostgresTransport({ databaseUrl: url, channel, log })
  const { openRedisTransport } = await import('./redis-transport.ts')
  return openRedisTransport({ redisUrl: url, channel, log })
}

/** The bus of the nodes that share a database. */
export function openBus({ node, url, secret, epoch: firstEpoch, log, observer }: Options): StartableBus {
  let epoch = firstEpoch
  let link: Bus | undefined
  let events: BusEvents | undefined
  let isClosed = false

  /** Resolves when it is connected, or after a second. */
  async function open(all: BusEvents) {
    const own = epoch
    const { promise: connected, resolve } = Promise.withResolvers<void>()
    const openTransport = await transportOf(url, `parley_${own.replaceAll('-', '')}`, log)
    if (isClosed || own !== epoch) return
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
      // `LISTEN` and `NOTIFY` have no access control.
      seal: createSeal(secret, `bus ${own}`),
      events: whileTrue(() => own === epoch, all),
      observer,
      log,
    })
    await Promise.race([connected, new Promise((done) => setTimeout(done, START_TIMEOUT_MS).unref())])
  }

  return {
    start(all) {
      events = all
      return open(all)
    },
    async follow(next) {
      if (next === epoch || !events) return
      epoch = next
      const previous = link
      link = undefined
      for (const peer of previous?.peers() ?? []) events.onPeerLeft(peer, 'goodbye')
      await Promise.all([previous?.close(), open(events)])
      // Notices sent during the switch.
      events.onMissed()
    },
    send: (notice, options) => link?.send(notice, options),
    peers: () => link?.peers() ?? [],
    isUnavailable: () => link?.isUnavailable() ?? false,
    async close() {
      isClosed = true
      await link?.close()
    },
  }
}

/** Ignores events of a link that is closing. */
const whileTrue = (isTrue: () => boolean, events: BusEvents): BusEvents => ({
  onNotice: (...all) => isTrue() && events.onNotice(...all),
  onPeerJoined: (...all) => isTrue() && events.onPeerJoined(...all),
  onPeerLeft: (...all) => isTrue() && events.onPeerLeft(...all),
  onMissed: () => isTrue() && events.onMissed(),
})
