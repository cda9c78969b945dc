import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { describeApi } from './openapi.ts'

/** Serves what the contract says: to programs at /api/openapi.json, to people at /api/docs. */
export default async function apiDocs(app: FastifyInstance) {
  const document = describeApi()
  app.get('/api/openapi.json', async () => document)

  // Its type knows only older versions of OpenAPI; it hands the document on as it is.
  const specification = { document: document as object as StaticDocumentSpec['document'] }
  await app.register(swagger, { mode: 'static', specification })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'Parley API', favicon: [] },
    // Without the bar on top, which holds a logo and a field for addresses of other documents.
    uiConfig: { layout: 'BaseLayout' },
    // In place of the one that forbids answers of the API everything.
    staticCSP: {
      'default-src': "'self'",
      'style-src': "'self'",
      'img-src': ["'self'", 'data:'],
      'object-src': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    },
  })
}
