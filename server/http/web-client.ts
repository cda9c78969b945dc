import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import statics from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../errors.ts'
import { pathOf } from './front-door.ts'

const root = fileURLToPath(new URL('../../dist/web', import.meta.url))
const YEAR = 365 * 24 * 3600

/** Serves the built web client: any page address answers with its one document, the client's router does the rest. */
export async function webClient(app: FastifyInstance) {
  const built = existsSync(root)
  if (built) {
    await app.register(statics, {
      root,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Files below assets/ carry a hash of their content in their name.
        const lasts = relative(root, path).startsWith('assets')
        reply.header('cache-control', lasts ? `public, max-age=${YEAR}, immutable` : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = built && request.method === 'GET' && !/^\/(api|socket\.io|assets)\//.test(pathOf(request.raw))
    if (!isPage) throw notFound('Page')
    return reply.sendFile('index.html')
  })
}
