import type { Socket as TcpSocket } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { userRoom } from '../realtime/rooms.ts'
import { type Listener, type Person, startParley } from '../test/support/parley.ts'
import { coalesceWrites, webSocketOf } from './engine-internals.ts'

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
let tab: Listener

beforeAll(async () => {
  parley = await startParley()
  ada = await parley.person('ada')
  tab = await ada.listen()
})

const socketOfAda = () => {
  const [socket] = parley.app.realtime.io.of('/').sockets.values()
  if (!socket) throw new Error('ada has no socket')
  return socket
}

it('sends a socket’s queued packets in one write', async () => {
  const tcp = webSocketOf(socketOfAda().conn)?._socket as TcpSocket
  const writes: number[] = []
  const { _write, _writev } = tcp
  tcp._write = (...args) => {
    writes.push(1)
    _write.apply(tcp, args)
  }
  tcp._writev = (...args) => {
    writes.push(args[0].length)
    _writev?.apply(tcp, args)
  }
  const EVENTS = 6
  for (let rev = 1; rev <= EVENTS; rev++) {
    const payload = { channelId: ada.id, rev }
    parley.app.realtime.io.to(userRoom(ada.id)).emit('channel:joined', payload)
  }
  await tab.waitFor('channel:joined', ({ rev }) => rev === EVENTS)
  // The first is sent immediately, in one buffer; the others queue behind it and follow together.
  expect(writes).toEqual([1, EVENTS - 1])
  expect(tab.all('channel:joined').map(({ rev }) => rev)).toEqual([1, 2, 3, 4, 5, 6])
})

it('leaves transports of another shape unchanged', () => {
  class Other {
    name = 'websocket'
  }
  coalesceWrites(new Other())
  expect('send' in new Other()).toBe(false)

  const sent: unknown[] = []
  class WithoutTcp {
    name = 'websocket'
    send(packets: unknown[]) {
      sent.push(...packets)
    }
  }
  const transport = new WithoutTcp()
  coalesceWrites(transport)
  const packets = [{ options: { wsPreEncodedFrame: 'text' } }, {}]
  transport.send(packets)
  expect(sent).toEqual([{ options: { wsPreEncodedFrame: 'text' } }, {}])
})

it('retains nothing of the request that opened a socket', () => {
  const { conn, handshake } = socketOfAda()
  expect(conn).toHaveProperty('request', undefined)
  expect(JSON.stringify(handshake)).not.toContain(ada.token)
  expect(handshake).toMatchObject({ headers: {}, auth: {}, query: {} })
})
