import type { FastifyInstance } from 'fastify'
import { methodNotAllowed, notFound } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks the route that answers unsupported methods. */
    isRefusal?: boolean
  }
}

/**
 * Records the methods of each API path.
 * @returns a function to call after the last route is mounted: it adds routes that answer all other methods with 405 and
 *   `Allow`. As routes, they match like any other: `/api/users/me` takes precedence over `/api/users/:userId`.
 */
export function recordMethods(app: FastifyInstance) {
  const paths = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ method, url }) => {
    if (!url.startsWith('/api/') || url.startsWith('/api/docs')) return
    const methods = paths.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    paths.set(url, methods)
  })

  return function refuseOthers() {
    for (const [url, methods] of [...paths]) {
      const allow = [...methods].sort().join(', ')
      app.route({
        method: app.supportedMethods.filter((name) => !methods.has(name)),
        url,
        exposeHeadRoute: false,
        config: { isRefusal: true },
        // Runs before the body is read.
        onRequest: ({ params }, reply, done) => {
          // The router matches `/api/messages/` as a message with an empty id.
          if (Object.values(params as object).includes('')) return done(notFound('errors.pageNotFound'))
          reply.header('allow', allow)
          return done(methodNotAllowed(allow))
        },
        handler: async () => undefined,
      })
    }
  }
}
