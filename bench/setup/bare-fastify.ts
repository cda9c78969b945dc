// The ceilings for HTTP: a bare Fastify that echoes a body, and one that sends given bytes.
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

const app = Fastify()
let bytes = Buffer.alloc(0)

app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_, body, done) => done(null, body))
app.post('/echo', async (request) => request.body)
for (const method of ['GET', 'POST'])
  app.route({
    method,
    url: '/kept',
    handler: (_, reply) => reply.type('application/json; charset=utf-8').send(bytes),
  })
app.put('/kept', async (request) => {
  bytes = Buffer.from(request.body as string)
  return { bytes: bytes.length }
})

await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port })
process.on('disconnect', () => process.exit())
