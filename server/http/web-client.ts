import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import statics from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../errors.ts'
import { ROOT } from '../installation.ts'
import { pathOf } from './caller.ts'

const BUILT_CLIENT = join(ROOT, 'dist/web')
const YEAR_SECONDS = 365 * 24 * 3600

/** The `cache-control` of a file of the built client. */
function cachingOf(path: string): string {
  // The names of files below assets/ contain a hash of their content.
  if (path.startsWith('assets')) return `public, max-age=${YEAR_SECONDS}, immutable`
  // When going back, or reopening a closed tab, browsers show a cached page without a request, so its session would not be
  // checked (server/identity/device-secret.ts).
  return path.startsWith('index.html') ? 'no-store' : 'no-cache'
}

/** Serves the built web client. Every page URL returns the same document; the client's router does the rest. */
export async function webClient(app: FastifyInstance, root = BUILT_CLIENT) {
  const built = existsSync(root)
  if (built) await serveFiles(app, root)
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPage = built && isRead && !/^\/(api|socket\.io|assets)\//.test(pathOf(request.raw))
    if (!isPage) throw notFound('errors.pageNotFound')
    return reply.sendFile('index.html')
  })
}

/** One route for all assets: there are thousands, and each route costs memory and startup time. */
async function serveFiles(app: FastifyInstance, root: string) {
  await app.register(statics, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', cachingOf(relative(root, path)))
    },
  })
  const assets = new Set(readdirSync(join(root, 'assets')))
  app.get<{ Params: { '*': string } }>('/assets/*', ({ params: { '*': name } }, reply) => {
    if (!assets.has(name)) throw notFound('errors.pageNotFound')
    return reply.sendFile(`assets/${name}`)
  })
  app.get('/', (_, reply) => reply.sendFile('index.html'))
  for (const entry of readdirSync(root, { withFileTypes: true }))
    if (entry.isFile()) app.get(`/${entry.name}`, (_, reply) => reply.sendFile(entry.name))
}
