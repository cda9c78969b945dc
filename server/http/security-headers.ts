import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { isCall } from './caller.ts'

/** The headers of every API reply. */
export const API_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Sets the headers of every response. API calls get constant ones, because helmet computes its own each time. */
export async function installHeaders(app: FastifyInstance, config: Config) {
  await app.register(helmet, { ...securityHeaders(config), global: false })
  app.addHook('onRequest', (request, reply, done) => {
    if (isCall(request)) reply.headers(API_HEADERS)
    else reply.helmet()
    done()
  })
}

/** The headers of a page, as helmet's options. */
function securityHeaders({ publicUrl }: Config) {
  const secure = publicUrl?.startsWith('https:') ?? false
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Inline styles place menus and rows; inline scripts stay forbidden.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Browsers ignore these over plain HTTP, and log a warning.
    strictTransportSecurity: secure && { includeSubDomains: false },
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
  }
}
