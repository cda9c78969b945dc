import type { FastifyInstance } from 'fastify'
import { DatabaseError } from 'pg'
import { buildApp } from './app.ts'
import type { Config } from './config/config.ts'
import { listenProblem } from './config/start-error.ts'
import { connectionProblem } from './db/connection-problem.ts'
import { requireMigrated } from './db/migrate.ts'
import { AppError, reasonOf } from './errors.ts'
import { listen } from './http/listen.ts'
import { collectWhenIdle } from './process/idle-collection.ts'
import type { Siblings } from './processes/siblings.ts'

/** Logged by each of several processes. */
const listenTextResolver = () => 'This process serves connections that the primary process accepts'

interface Options {
  config: Config
  databaseUrl: string
  secret: string
  siblings?: Siblings
}

/**
 * Builds the app on a prepared database, and serves the configured port or the connections sent by the primary process.
 * @throws StartError
 */
export async function serve({ config, siblings, ...options }: Options): Promise<FastifyInstance> {
  const app = await buildApp({ config, ...(siblings && { siblings }), ...options }).catch((error) => {
    // Only for errors of the database: other services may be unreachable as well.
    const isOfDatabase = error instanceof DatabaseError
    throw (isOfDatabase && connectionProblem(error, config.databaseConnections.total)) || error
  })
  // A rollback that didn't see this node while it started has ended by now, and others see it.
  if (!siblings || siblings.number === 1)
    await requireMigrated(app.db).catch(async (error) => {
      await app.close()
      throw error
    })
  // An unhandled rejection is a bug, but should not disconnect everyone.
  process.on('unhandledRejection', (error) => app.failed(error))
  app.addHook('onClose', collectWhenIdle(app.log))
  const { port, host } = config
  // Node enforces request timeouts only on a listening server.
  const listening = siblings
    ? app.listen({ path: siblings.unusedPath, listenTextResolver })
    : listen(app, { port, host })
  await listening.catch(async (error: NodeJS.ErrnoException) => {
    await app.close()
    throw listenProblem(error, { host, port })
  })
  // Of several processes, the first one serves plain HTTP, and obtains the certificate for all.
  if (!siblings || siblings.number === 1)
    await app.tls?.start(httpsPortOf(app, port)).catch(async (error) => {
      await app.close()
      throw error
    })
  // Of several processes, the first one does it.
  if (!siblings || siblings.number === 1) await prepareDemo(app, config)
  return app
}

/** Fills a workspace in which nobody has an account with the demo, if asked; and removes a demo that was never finished. */
async function prepareDemo(app: FastifyInstance, { demo: isAsked }: Config) {
  const { demo } = await app.db.selectFrom('workspace').select('demo').executeTakeFirstOrThrow()
  if (!isAsked && demo !== 'filling') return
  const { fillDemo, tidyDemo } = await import('./demo/fill-demo.ts')
  try {
    if (!isAsked) await tidyDemo(app)
    else if (demo === null || demo === 'filling') {
      await fillDemo(app, {})
      console.log('Filled the workspace with the demo.')
    }
  } catch (error) {
    const isInUse = error instanceof AppError && error.code === 'not_new'
    console.warn(
      isInUse
        ? 'The workspace is in use, so it was not filled with the demo. Start without DEMO or --demo.'
        : `Could not prepare the demo: ${reasonOf(error)}`,
    )
  }
}

/** The actual port if 0 was configured. Several processes listen on no port of their own. */
function httpsPortOf({ server }: FastifyInstance, configured: number) {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : configured
}
