// The ceiling for fan-out: receives a message over HTTP and publishes it to a room, without storing it. Started with
// `socket.io`, or with `ws` to send only the bytes of a frame to every connection. If its template has a database, it commits
// the row of each message before publishing it.
import type { Server as HttpServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'
import { Server } from 'socket.io'

/** A real event to imitate, and the rooms of every socket by its token. */
export interface Template {
  message: object & {
    channelId: string
    userId: string
    content: string
    seq: number
    rev: number
    clientId: string | null
  }
  rooms: Record<string, string[]>
  /** Where to insert messages: into `bare_messages`, with the columns and indexes of Parley's table. */
  databaseUrl?: string
}
interface SentMessage {
  channelId: string
  content: string
  clientId: string
}

const READY = { epoch: 'bare', peopleVersion: 0 }
let template: Template
let pool: pg.Pool | undefined
let rev = 0

const app = Fastify()
const tell = process.argv[2] === 'ws' ? overWs(app.server) : overSocketIo(app.server)

app.post('/api/messages', async (request, reply) => {
  const { content, clientId } = request.body as SentMessage
  if (pool) await insert(pool, content, clientId)
  // Numbered after the commit, so that the numbers are published in order.
  rev++
  const message = { ...template.message, id: idOf(rev), content, clientId, rev, seq: rev }
  tell(message)
  reply.status(201)
  return message
})

let inserted = 0
function insert(pool: pg.Pool, content: string, clientId: string) {
  const { channelId, userId } = template.message
  const seq = ++inserted
  return pool.query({ ...INSERT, values: [idOf(seq), channelId, userId, content, clientId, seq] })
}

const INSERT = {
  name: 'insert',
  text: `insert into bare_messages (id, "channelId", "userId", content, "clientId", seq, rev) values ($1, $2, $3, $4, $5, $6, $6)`,
}

/** As long as a real id. */
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

function overSocketIo(server: HttpServer) {
  const io = new Server(server, { perMessageDeflate: false, serveClient: false, maxHttpBufferSize: 64 * 1024 })
  io.on('connection', (socket) => {
    socket.join(template.rooms[socket.handshake.auth['token']] ?? [])
    socket.emit('ready', READY)
  })
  return (message: Template['message']) => io.to(message.channelId).emit('message:created', message)
}

interface Ws {
  send(text: string | Buffer, options?: { binary: boolean }): void
  on(event: 'message', hear: (data: Buffer) => void): void
}

/** The same `ws` that Socket.IO uses; it sends Engine.IO's handshake, so that the same swarm can connect. */
function overWs(server: HttpServer) {
  const own = createRequire(createRequire(import.meta.url).resolve('socket.io'))
  const { WebSocketServer } = own('ws')
  const all = new Set<Ws>()
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket: Ws) => {
    socket.send('0{"sid":"bare"}')
    socket.on('message', (data) => {
      if (!data.toString().startsWith('40')) return
      all.add(socket)
      socket.send('40{"sid":"bare"}')
      socket.send(`42${JSON.stringify(['ready', READY])}`)
    })
  })
  return (message: Template['message']) => {
    const packet = Buffer.from(`42${JSON.stringify(['message:created', message])}`)
    for (const socket of all) socket.send(packet, { binary: false })
  }
}

// The probe has unreferenced the channel; until the server listens, nothing else keeps the process alive.
process.channel?.ref()
process.on('message', async (request: { template: Template } | string) => {
  if (typeof request === 'string') return
  template = request.template
  rev = template.message.rev
  if (template.databaseUrl) {
    pool = new pg.Pool({ connectionString: template.databaseUrl, max: 16 })
    await pool.query('create table bare_messages (like messages including all)')
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.send?.({ port: (app.server.address() as AddressInfo).port })
})
