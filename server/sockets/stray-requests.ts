import type { Logger } from '../process/logger.ts'
import type { SocketServer } from '../realtime/rooms.ts'

/** An error code of engine.io: the request belongs to a connection that this node doesn't know. */
const UNKNOWN_CONNECTION = 1
const INTERVAL_MS = 3_600_000
/** A few are normal: clients of a node that stopped. */
const WARN_AT = 20

/** Logs once an hour if the load balancer seems to spread the requests of one connection over several nodes. */
export function reportStrayRequests(io: Pick<SocketServer, 'engine'>, peers: () => string[], log: Logger) {
  let since = 0
  let count = 0
  io.engine.on('connection_error', ({ code }: { code: number }) => {
    if (code !== UNKNOWN_CONNECTION || peers().length === 0) return
    const now = performance.now()
    if (since === 0 || now - since > INTERVAL_MS) {
      since = now
      count = 0
    }
    if (++count === WARN_AT)
      log.warn(
        'requests of one connection arrive at several nodes: enable sticky sessions on the load balancer, or clients whose network blocks WebSockets cannot connect',
      )
  })
}
