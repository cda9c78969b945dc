import type pg from 'pg'
import type { Logger } from '../process/logger.ts'
import type { Publish } from './publisher.ts'
import { createReadyLoader } from './ready-loader.ts'
import type { SocketServer } from './rooms.ts'

const BATCH_SIZE = 25
const BATCH_INTERVAL_MS = 100
const RETRY_MS = 1_000

interface Options {
  io: SocketServer
  log: Logger
  pool: pg.Pool
  publishHere: Publish
}

/**
 * After events were lost, sends `ready` to the sockets of this node once more: clients then look for themselves what they
 * missed. At most 250 a second, and one round at a time, so that a faulty bus makes no storm of reconnections.
 */
export function createReadyRounds({ io, log, pool, publishHere }: Options) {
  const workspaces = createReadyLoader(pool)
  let isDue = false
  let isRunning = false
  let running: Promise<void> | undefined
  let isStopped = false
  let wake = () => {}

  async function announce(socketId: string) {
    const socket = io.of('/').sockets.get(socketId)
    // The others become ready by themselves.
    if (!socket?.data.isReady) return
    const { channelIds: _, ...workspace } = await workspaces.load(socket.data.userId)
    if (socket.connected) publishHere(socketId, 'ready', workspace)
  }

  async function round() {
    const ids = [...io.of('/').sockets.keys()]
    for (let first = 0; first < ids.length && !isStopped; first += BATCH_SIZE) {
      await Promise.all(ids.slice(first, first + BATCH_SIZE).map(announce))
      await pause(BATCH_INTERVAL_MS)
    }
  }

  async function runRounds() {
    isRunning = true
    while (isDue && !isStopped) {
      isDue = false
      await round().catch((error) => {
        log.warn({ err: error }, 'clients could not be told that events were lost; it will be retried')
        isDue = true
        return pause(RETRY_MS)
      })
    }
    isRunning = false
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve
      setTimeout(resolve, ms).unref()
    })

  return {
    /** Events may have been lost. During a round it asks for one more. */
    start() {
      isDue = true
      if (!isRunning) running = runRounds()
    },
    stop() {
      isStopped = true
      wake()
      return running
    },
  }
}
