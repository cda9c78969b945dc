import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { describeApi } from './openapi.ts'

const document = describeApi()

/** Serves what the contract says: to programs at /api/openapi.json, to people at /api/docs. */
export default async function apiDocs(app: FastifyInstance) {
  app.get('/api/openapi.json', async () => document)

  // Its type knows only older versions of OpenAPI, but it serves the document unchanged.
  const specification = { document: document as object as StaticDocumentSpec['document'] }
  await app.register(swagger, { mode: 'static', specification })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'Parley API', favicon: [] },
    // Without the top bar with its logo and field for other documents.
    uiConfig: { layout: 'BaseLayout' },
    // Instead of the policy of API responses, which forbids everything.
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
