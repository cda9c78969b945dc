// A minimal chat: it commits a message and publishes it to everybody, without sign-in, checks or search.
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'
import { Server } from 'socket.io'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'

const postgres = await startEmbeddedPostgres({
  dataDir: process.argv[2] as string,
  password: 'bare',
  log: console.error,
})
const pool = new pg.Pool({ connectionString: postgres.url, max: 16 })
// Connections may still be closing when the database stops.
pool.on('error', () => {})
process.once('disconnect', async () => {
  await pool.end()
  await postgres.stop()
  process.exit()
})
await pool.query(`create table messages (
  id bigint generated always as identity primary key, author text, text text, "createdAt" timestamptz default now())`)

const app = Fastify()
const io = new Server(app.server, { perMessageDeflate: false, serveClient: false })
const INSERT = { name: 'insert', text: 'insert into messages (author, text) values ($1, $2) returning *' }
const PAGE = { name: 'page', text: 'select * from messages order by id desc limit 50' }

app.post('/messages', async (request) => {
  const { author, text } = request.body as { author: string; text: string }
  const { rows } = await pool.query({ ...INSERT, values: [author, text] })
  io.emit('message', rows[0])
  return rows[0]
})
app.get('/messages', async () => (await pool.query(PAGE)).rows)

await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port })
