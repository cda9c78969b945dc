import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { type Handle, handleOf, toSend } from './handle.ts'
import type { ConnectionParcel } from './ipc.ts'

/** A TCP connection on its way to a process. */
interface Parcel {
  handle: Handle
  /** See ConnectionParcel. */
  bytes: string
  /** Closes this process's copy. */
  close(): void
}

/** A process that receives connections. */
interface Receiver {
  child: ChildProcess
  /** Whether it wants new ones. */
  isOpen: boolean
  onTheWay: Set<Parcel>
}

/** On the way to one process, a few kilobytes each. It takes thousands a second unless it hangs. */
const MAX_ON_THE_WAY = 10_000

/** Accepts connections and distributes them among processes. */
export function createDistributor(log: (line: string) => void) {
  const receivers = new Map<number, Receiver>()
  let turns = 0

  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => {})
    const handle = handleOf(socket)
    if (handle) deliver(next(), { handle, bytes: '', close: () => socket.destroy() })
  })

  /** One after the other, except those that lag behind. If all stop, load balancers take a moment to notice. */
  function next() {
    const all = [...receivers.values()]
    const open = all.filter(({ isOpen }) => isOpen)
    const able = open.length > 0 ? open : all
    const least = Math.min(...able.map(({ onTheWay }) => onTheWay.size))
    const quickest = able.filter(({ onTheWay }) => onTheWay.size === least)
    return quickest[turns++ % quickest.length]
  }

  /** The client of a connection that cannot be delivered opens another one. */
  function deliver(receiver: Receiver | undefined, parcel: Parcel) {
    if (!receiver || receiver.onTheWay.size >= MAX_ON_THE_WAY) return parcel.close()
    receiver.onTheWay.add(parcel)
    const sent: ConnectionParcel = { kind: 'connection', bytes: parcel.bytes }
    // There is no callback if the process ends before.
    receiver.child.send(sent, toSend(parcel.handle), undefined, () => {
      if (receiver.onTheWay.delete(parcel)) parcel.close()
    })
    return undefined
  }

  return {
    /** @returns the actual port */
    listen: (port: number, host: string) =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          // Too many open files, for example.
          server.on('error', ({ message }) => log(`A connection could not be accepted: ${message}`))
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : port)
        })
      }),
    stopListening: () => void server.close(),
    add: (number: number, child: ChildProcess) =>
      void receivers.set(number, { child, isOpen: true, onTheWay: new Set() }),
    /** The process wants no new connections if there are others. */
    close(number: number) {
      const receiver = receivers.get(number)
      if (receiver) receiver.isOpen = false
    },
    /** The process has ended: what it has not received goes to the others. */
    remove(number: number) {
      const receiver = receivers.get(number)
      receivers.delete(number)
      if (!receiver) return
      const left = [...receiver.onTheWay]
      receiver.onTheWay.clear()
      for (const parcel of left) deliver(next(), parcel)
    },
    /** Passes a connection from one process on to another. */
    handOver(to: number, handle: Handle, bytes: string) {
      deliver(receivers.get(to), { handle, bytes, close: () => handle.close() })
    },
  }
}
