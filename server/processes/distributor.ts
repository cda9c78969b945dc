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
  /** Whether it accepts new ones. */
  isOpen: boolean
  onTheWay: Set<Parcel>
}

/** Per process, a few kilobytes each. A process receives thousands a second unless it hangs. */
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

  /** Round robin among those with the fewest undelivered connections. If all are stopping, they still get connections. */
  function next() {
    const all = [...receivers.values()]
    const open = all.filter(({ isOpen }) => isOpen)
    const able = open.length > 0 ? open : all
    const least = Math.min(...able.map(({ onTheWay }) => onTheWay.size))
    const quickest = able.filter(({ onTheWay }) => onTheWay.size === least)
    return quickest[turns++ % quickest.length]
  }

  /** Closes a connection that can't be delivered; its client opens another one. */
  function deliver(receiver: Receiver | undefined, parcel: Parcel) {
    if (!receiver || receiver.onTheWay.size >= MAX_ON_THE_WAY) return parcel.close()
    receiver.onTheWay.add(parcel)
    const sent: ConnectionParcel = { kind: 'connection', bytes: parcel.bytes }
    // The callback is not called if the process exits first.
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
          // For example because of too many open files.
          server.on('error', ({ message }) => log(`Could not accept a connection: ${message}`))
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : port)
        })
      }),
    stopListening: () => void server.close(),
    add: (number: number, child: ChildProcess) =>
      void receivers.set(number, { child, isOpen: true, onTheWay: new Set() }),
    /** The process gets no new connections as long as others are open. */
    close(number: number) {
      const receiver = receivers.get(number)
      if (receiver) receiver.isOpen = false
    },
    /** The process has exited: connections that it has not received go to the others. */
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
