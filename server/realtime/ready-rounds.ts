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
 * Sends `ready` again to this node's sockets after events were lost, so that clients refetch. Limited to 250 sockets a second
 * and one round at a time, so that a faulty bus doesn't cause a storm of requests.
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
    // A socket that isn't ready yet will receive its first `ready`.
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
        log.warn({ err: error }, 'could not send `ready` to clients after events were lost; retrying')
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
    /** Call when events may have been lost. During a round it requests one more. */
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
