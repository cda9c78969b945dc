// The least a server of this kind can do: a bare Fastify that echoes a body, and one that sends a page's bytes.
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

const app = Fastify()
let page = Buffer.alloc(0)

app.post('/echo', async (request) => request.body)
app.get('/page', (_request, reply) => reply.type('application/json; charset=utf-8').send(page))
app.put('/page', async (request) => {
  page = Buffer.from(JSON.stringify(request.body))
  return { bytes: page.length }
})

await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port })
process.on('disconnect', () => process.exit())
