import type { Config } from '../config/config.ts'

/** What a program reads needs few headers, and always the same. */
export const API_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** What a page needs, in the words of `helmet`. */
export function securityHeaders({ publicUrl }: Config) {
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
    // Browsers ignore these on plain http and complain about it.
    strictTransportSecurity: secure && { includeSubDomains: false },
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
  }
}
