import type { FastifyInstance } from 'fastify'
import { drain } from './drain-body.ts'

/**
 * Answers what other apps share with an installed Parley. The browser's service worker receives it (web/service-worker/shares.ts);
 * a request arrives here only if there is none, for example because the browser's data was cleared. Then the page asks the user to
 * share it again.
 */
export default async function shareTarget(app: FastifyInstance) {
  app.post('/share', {
    // The time for a body doesn't apply, because none is read.
    config: { streamsFile: true },
    // Runs before the body is parsed, whatever its type and size.
    onRequest(request, reply) {
      void reply.redirect('/share?failed=unready', 303)
      drain(request)
    },
    handler: async () => undefined,
  })
}
