import swagger, { type StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { describeApi } from './openapi.ts'

const document = describeApi()

/** Serves the API's documentation: at /api/openapi.json for programs, at /api/docs for people. */
export default async function apiDocs(app: FastifyInstance) {
  app.get('/api/openapi.json', async () => document)

  // The plugin's type only allows older versions of OpenAPI, but it serves the document unchanged.
  const specification = { document: document as object as StaticDocumentSpec['document'] }
  await app.register(swagger, { mode: 'static', specification })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'Parley API', favicon: [] },
    // Hides the top bar with its logo and field for other documents.
    uiConfig: { layout: 'BaseLayout' },
    // Replaces the policy of API responses, which forbids everything.
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
