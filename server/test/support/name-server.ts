import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { atEnd } from './cleanup.ts'

const TYPE_A = 1
const TYPE_AAAA = 28
const HEADER_BYTES = 12

/** Starts a name server on loopback. @param resolve the addresses of a name, called for each query */
export async function startNameServer(resolve: (name: string) => string[]) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    const answers = resolve(name).filter((address) => type === (isIPv6(address) ? TYPE_AAAA : TYPE_A))
    const header = Buffer.from(query.subarray(0, HEADER_BYTES))
    // A response without an error, with one question and the answers.
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(answers.length, 6)
    header.fill(0, 8)
    socket.send(
      [header, query.subarray(HEADER_BYTES, end), ...answers.map((address) => record(type, address))],
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Of the name in the question, valid for no time. */
function record(type: number, address: string) {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc000 + HEADER_BYTES, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}
