import type { FastifyInstance } from 'fastify'
import { methodNotAllowed, notFound } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Stands where a path has no such method. */
    isRefusal?: boolean
  }
}

/**
 * Notes which methods the paths of calls have. They are routes like all others, so it is the router that says which
 * path was meant, also where a name stands beside a parameter (`/api/users/me`, `/api/users/:userId`).
 * @returns what to call after the last call was mounted: it answers every other method by 405 with `Allow`
 */
export function noteMethods(app: FastifyInstance) {
  const paths = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith('/api/') || url.startsWith('/api/docs')) return
    const methods = paths.get(url) ?? new Set()
    for (const it of [method].flat()) methods.add(it)
    paths.set(url, methods)
  })

  return function refuseOthers() {
    for (const [url, methods] of [...paths]) {
      const allow = [...methods].sort().join(', ')
      app.route({
        method: app.supportedMethods.filter((it) => !methods.has(it)),
        url,
        exposeHeadRoute: false,
        config: { isRefusal: true },
        // Before the body is read: what is in it does not matter.
        onRequest: ({ params }, reply, done) => {
          // The router takes `/api/messages/` for a message without an id.
          if (Object.values(params as object).includes('')) return done(notFound('Page'))
          reply.header('allow', allow)
          return done(methodNotAllowed(allow))
        },
        handler: async () => undefined,
      })
    }
  }
}
