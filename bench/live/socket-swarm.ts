// Holds thousands of live connections in a separate process, and records which socket received what.
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from './clock.ts'
import { createDeliveryLedger, type DeliveryLedger } from './delivery-ledger.ts'
import { createHttpPool } from './http-pool.ts'
import { createReconnector } from './reconnect.ts'
import { listen } from './socket-listener.ts'

/** Opens a socket for each token. */
interface ConnectOrder {
  do: 'gather'
  /** Ports of the ready nodes, used in turn. */
  ports: number[]
  tokens: string[]
  /** The channels to follow, and their revisions. */
  revs: Record<string, number>
  /** For each socket, the indexes of its channels in `revs`. */
  inside: number[][]
  /** Whether sockets reconnect and fetch what they missed; otherwise a disconnect is a fault. */
  reconnects: boolean
}
export type Order =
  | ConnectOrder
  | { do: 'until'; messages: number; timeoutMs: number }
  | { do: 'progress' }
  /** The set of ready nodes has changed. */
  | { do: 'turn'; ports: number[] }
  | { do: 'leave' }

/** The messages received since the last report. */
export interface DeliveryAccount {
  /** For each message: its key, the number of sockets that have it, and when the last of them received it. */
  messages: { key: string; count: number; lastAt: number }[]
  faults: string[]
}
/** The state of reconnecting sockets. */
export interface SwarmProgress {
  /** The number of connected sockets, and of those that have all messages. */
  back: number
  complete: number
  /** When each last reconnected, and when it last had all messages. */
  backAt: number[]
  completeAt: number[]
  /** Milliseconds from each disconnect until the socket was in its channels again. */
  absences: number[]
  /** Revisions that all sockets of a channel have. */
  revs: Record<string, number>
  attempts: number
  caughtUp: number
  faults: string[]
}

let faults: string[] = []
const reportFault = (text: string) => {
  if (faults.length < 20) faults.push(text)
}

/** Concurrent handshakes while connecting for the first time. */
const MAX_HANDSHAKES = 50

async function connectAll({ tokens, revs, inside, reconnects, ...order }: ConnectOrder) {
  const ledger = createDeliveryLedger(tokens.length, revs)
  const channelIds = Object.keys(revs)
  let { ports } = order
  let turn = 0
  const httpPool = createHttpPool(() => ports, 32)
  const returning = tokens.map((token, socket) =>
    createReconnector({
      httpPool,
      ledger,
      socket,
      token,
      channelIds: (inside[socket] as number[]).map((n) => channelIds[n] as string),
      reportFault,
    }),
  )
  let leaving = false
  const sockets: { end(): void }[] = []
  let coming = 0
  let came = 0
  const startedAt = now()

  await new Promise<void>((resolve, reject) => {
    const more = () => {
      while (coming - came < MAX_HANDSHAKES && coming < tokens.length) open(coming++)
    }
    const open = (socket: number) => {
      const [token, mine] = [tokens[socket] as string, returning[socket] as (typeof returning)[number]]
      let isIn = false
      const connect = (isRepeated = false) => {
        sockets[socket] = listen(ports[turn++ % ports.length] as number, token, {
          ready(epoch) {
            if (isIn) return mine.back(epoch)
            isIn = true
            mine.connected()
            if (++came === tokens.length) resolve()
            more()
          },
          message(bytes, from, to) {
            const message = ledger.read(bytes, from, to)
            const receipt = ledger.receive(socket, message)
            if (receipt === 'next') return
            if (reconnects) mine.received(receipt, message)
            else reportFault(`socket ${socket} received revision ${message.rev}: ${receipt}`)
          },
          revChanged: (id, rev) => reconnects && mine.revChanged(id, rev),
          ended(why) {
            if (leaving) return
            if (!isIn) reject(new Error(`a socket could not connect: ${why}`))
            // Like a load balancer, try the next node.
            else if (reconnects && !isRepeated && why.includes('ECONNREFUSED')) connect(true)
            else if (reconnects) mine.lost(connect)
            else reportFault(`socket ${socket} ended: ${why}`)
          },
        })
      }
      connect()
    }
    more()
  })

  return {
    seconds: (now() - startedAt) / 1000,
    ledger,
    progress: (): SwarmProgress => ({
      back: returning.filter((it) => it.isBack()).length,
      complete: returning.filter((it) => it.isComplete()).length,
      backAt: returning.map((it) => it.backAt()),
      completeAt: returning.map((it) => it.completeAt()),
      absences: returning.flatMap((it) => it.absences),
      revs: lowest(ledger, channelIds, inside),
      attempts: returning.reduce((sum, it) => sum + it.attempts(), 0),
      caughtUp: returning.reduce((sum, it) => sum + it.caughtUp(), 0),
      faults,
    }),
    turnTo(ready: number[]) {
      ports = ready
    },
    leave() {
      leaving = true
      for (const socket of sockets) socket.end()
      httpPool.close()
    },
  }
}

function lowest(ledger: DeliveryLedger, channelIds: string[], inside: number[][]) {
  const revs: Record<string, number> = {}
  for (const [socket, places] of inside.entries())
    for (const place of places) {
      const id = channelIds[place] as string
      revs[id] = Math.min(revs[id] ?? Number.POSITIVE_INFINITY, ledger.rev(socket, id))
    }
  return revs
}

/** Waits until every socket has received `messages` messages, then reports on them. */
async function waitForDeliveries(
  { ledger }: Swarm,
  { audience, messages, timeoutMs }: { audience: number; messages: number; timeoutMs: number },
) {
  const latest = now() + timeoutMs
  const isDone = () => {
    const delivered = ledger.messages()
    return delivered.length >= messages && delivered.every(({ count }) => count === audience)
  }
  while (!isDone() && now() < latest && faults.length === 0) await sleep(20)
  const account: DeliveryAccount = {
    messages: ledger.messages().map(({ key, count, lastAt }) => ({ key, count, lastAt })),
    faults,
  }
  ledger.forget()
  faults = []
  return account
}

type Swarm = Awaited<ReturnType<typeof connectAll>>
let swarm: Swarm | undefined
let audience = 0

process.on('message', async (order: Order) => {
  try {
    process.send?.({ answer: await execute(order) })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
// Exit with the parent process.
process.on('disconnect', () => process.exit())

async function execute(order: Order) {
  if (order.do === 'gather') {
    swarm = await connectAll(order)
    audience = order.tokens.length
    return { seconds: swarm.seconds }
  }
  if (!swarm) throw new Error('nobody is there')
  if (order.do === 'until') return waitForDeliveries(swarm, { audience, ...order })
  if (order.do === 'progress') return swarm.progress()
  if (order.do === 'turn') swarm.turnTo(order.ports)
  if (order.do !== 'leave') return {}
  swarm.leave()
  swarm = undefined
  return {}
}
