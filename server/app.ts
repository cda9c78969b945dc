import type { IncomingMessage, ServerOptions } from 'node:http'
import type { Server as TlsServer } from 'node:tls'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { limits } from '#contract/limits'
import type { Assistant } from './assistant/assistant.ts'
import type { Config } from './config/config.ts'
import type { Exporting } from './exports/export-jobs.ts'
import apiDocs from './http/api-docs.ts'
import { createCallerReader, pathOf } from './http/caller.ts'
import { earlyErrorHandler, installErrorHandler } from './http/error-handler.ts'
import { parseJsonBodies } from './http/json-bodies.ts'
import { recordMethods } from './http/methods.ts'
import { createOriginNotes, type NoteRefusedOrigin } from './http/refused-origins.ts'
import { createRequestIds } from './http/request-ids.ts'
import { installHeaders } from './http/security-headers.ts'
import shareTarget from './http/share-target.ts'
import { webClient } from './http/web-client.ts'
import { mountIdentity } from './identity/auth-routes.ts'
import { authenticate } from './identity/authenticate.ts'
import { createCookieSessions } from './identity/cookie-sessions.ts'
import { createDeviceSecrets, giveToPages } from './identity/device-secret.ts'
import { mountMailLinks } from './identity/mail-link-routes.ts'
import { createSessionCookieReader } from './identity/session-cookie.ts'
import type { Importing } from './imports/import-jobs.ts'
import { type Bounds, boundsFor } from './limits/bounds.ts'
import { installLimits } from './limits/install-limits.ts'
import { createLimiter, type Limiter } from './limits/rate-limiter.ts'
import { limitUsers } from './limits/request-limits.ts'
import type { Writer } from './messages/writer.ts'
import health from './monitoring/health.ts'
import { createMetrics } from './monitoring/metrics.ts'
import runningVersion from './monitoring/running-version.ts'
import seenRequest from './monitoring/seen-request.ts'
import type { LinkPreviews } from './previews/link-previews.ts'
import { createDrain, type Drain } from './process/drain.ts'
import { loggerOptions } from './process/logger.ts'
import { shareConnections } from './processes/share-connections.ts'
import type { Siblings } from './processes/siblings.ts'
import type { Retention } from './retention/expire-messages.ts'
import { routes } from './routes/all-routes.ts'
import { stopMail } from './routes/people/mail-rules.ts'
import { mountScim } from './routes/scim/scim.ts'
import { webManifest } from './routes/web-manifest.ts'
import type { Services } from './services.ts'
import { acceptSockets } from './sockets/sockets.ts'
import { reportStrayRequests } from './sockets/stray-requests.ts'
import { startServices } from './start-services.ts'
import { openTls, type Tls } from './tls/tls.ts'

declare module 'fastify' {
  interface FastifyInstance extends Omit<Services, 'log'> {
    assistant: Assistant
    linkPreviews: LinkPreviews
    exporting: Exporting
    importing: Importing
    retention: Retention
    /** Signs sessions, and encrypts second factors. */
    secret: string
    drain: Drain
    /** Undefined if this node serves plain HTTP. */
    tls: Tls | undefined
    writer: Writer
  }
}

const untrustedProxy = (address: string) =>
  `Requests come through ${address}, which TRUST_PROXY doesn’t name, so all their clients share its limits. If it is your proxy, add it to TRUST_PROXY.`

interface AppOptions {
  config: Config
  databaseUrl: string
  /** The URL for the bus between nodes; defaults to REDIS_URL or the database. */
  busUrl?: string
  /** Signs sessions; see config/secrets.ts. */
  secret: string
  /** The other processes, if several share the port. */
  siblings?: Siblings
  /** Receives log lines instead of standard output. */
  logTo?: { write(line: string): void }
  /** Overrides of the usual bounds. */
  bounds?: Partial<Bounds>
}

/** Builds the server on a migrated database. Closing it releases everything. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, siblings } = options
  const bounds = { ...boundsFor(config.databaseConnections), ...options.bounds }
  const metrics = createMetrics(siblings)
  const limiter = createLimiter(config.rateLimit, bounds.rates, metrics.rateLimited)
  const readCaller = createCallerReader(config, (address) => app.log.warn(untrustedProxy(address)))
  const app = createServer(options, bounds, (request) => limiter.consume('address', readCaller(request).rateLimitKey))
  const noteRefusedOrigin = createOriginNotes(app.log)
  try {
    const busUrl = options.busUrl ?? config.redisUrl ?? options.databaseUrl
    const started = await startServices(app, { ...options, busUrl, bounds, metrics, readCaller, noteRefusedOrigin })
    const { services, assistant, searchPools: pools } = started
    decorate(app, started, options.secret)
    installErrorHandler(app)
    parseJsonBodies(app)
    await installHeaders(app, config)
    app.addHook('onRequest', (request, _, done) => {
      request.caller = readCaller(request.raw, request.routeOptions.config.isUnlimited)
      done()
    })
    const installed = installLimits(app, { bounds, readCaller, limiter, metrics, pools })
    const { io } = services.realtime
    reportStrayRequests(io, services.bus.peers, app.log)
    const drain = createDrain({
      seconds: config.drainSeconds,
      peers: services.bus.peers,
      connections: () => Array.from(io.of('/').sockets.values(), ({ conn }) => conn),
      pending: () => installed.requestsInProgress() + assistant.writing(),
      server: app.server,
      log: app.log,
    })
    app.decorate('drain', drain)
    const tlsServer = app.server as unknown as TlsServer
    const { registry } = metrics
    app.decorate('tls', config.tls && (await openTls(services, { ...config.tls, server: tlsServer, registry })))
    app.addHook('onClose', async () => app.tls?.stop())
    await mountRoutes(app, options, started, { bounds, limiter, noteRefusedOrigin })
    acceptSockets(services, started.tokens, installed.sockets)
    if (siblings) {
      const metricsAsJson = () => metrics.registry.getMetricsAsJSON()
      const isEncrypted = config.tls !== undefined
      const { server } = app
      const stop = await shareConnections({ server, engine: io.engine, siblings, metricsAsJson, isEncrypted })
      app.addHook('onClose', async () => stop())
    }
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}

/** @param admit called with each request that fails before routing; throws if its address sends too many */
function createServer({ config, logTo }: AppOptions, bounds: Bounds, admit: (request: IncomingMessage) => void) {
  const http: ServerOptions = {
    headersTimeout: bounds.headersTimeoutMs,
    connectionsCheckingInterval: bounds.headersTimeoutMs / 4,
    // Clients that offer to upgrade, for example to HTTP/2, get an HTTP/1.1 response.
    shouldUpgradeCallback: (request) =>
      pathOf(request) === '/socket.io/' && request.headers.upgrade?.toLowerCase() === 'websocket',
  }
  // It gets its certificate later (tls/): until then, handshakes fail.
  const https = config.tls && { ...http, handshakeTimeout: bounds.headersTimeoutMs }
  return Fastify({
    bodyLimit: bounds.bodyBytes,
    connectionTimeout: bounds.idleTimeoutMs,
    ...((https ? { https } : { http }) as { http: ServerOptions }),
    logger: loggerOptions(config.logLevel, logTo),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    frameworkErrors: earlyErrorHandler(admit),
    // A keep-alive connection must not hold up a shutdown.
    forceCloseConnections: 'idle',
    // File names are part of URLs, where a character of many scripts takes nine characters.
    routerOptions: { maxParamLength: limits.fileName * 9 },
  })
}

type Started = Awaited<ReturnType<typeof startServices>>

/** Makes the services available to routes, as fields of the app. */
function decorate(app: FastifyInstance, started: Started, secret: string) {
  const { services, assistant, linkPreviews, exporting, importing, retention } = started
  const { log: _, ...decorations } = { ...services, assistant, linkPreviews, exporting, importing, retention, secret }
  for (const [name, service] of Object.entries(decorations)) app.decorate(name, service as never)
  app.decorateRequest('userId', '').decorateRequest('sessionId', '').decorateRequest('caller')
}

interface Shared {
  bounds: Bounds
  limiter: Limiter
  noteRefusedOrigin: NoteRefusedOrigin
}

async function mountRoutes(app: FastifyInstance, { config, secret }: AppOptions, started: Started, shared: Shared) {
  const { identity, tokens } = started
  const { bounds, limiter, noteRefusedOrigin } = shared
  const refuseOtherMethods = recordMethods(app)
  for (const plugin of [health, runningVersion, seenRequest, apiDocs]) await app.register(named(plugin))
  const sessionCookieIn = createSessionCookieReader(config)
  const deviceSecrets = createDeviceSecrets(secret, sessionCookieIn)
  const userOfCookie = createCookieSessions(sessionCookieIn, identity, tokens, bounds)
  async function signIn(scope: FastifyInstance) {
    await mountIdentity(scope, { identity, deviceSecrets, config, secret, noteRefusedOrigin })
  }
  async function mailLinks(scope: FastifyInstance) {
    await mountMailLinks(scope)
  }
  async function scim(scope: FastifyInstance) {
    await mountScim(scope, limiter)
  }
  async function signedIn(scope: FastifyInstance) {
    authenticate(scope, tokens, userOfCookie)
    limitUsers(scope, { bounds, limiter })
    for (const mount of routes) await scope.register(named(mount))
  }
  async function pages(scope: FastifyInstance) {
    giveToPages(scope, deviceSecrets, sessionCookieIn, identity)
    await webClient(scope)
  }
  for (const plugin of [signIn, mailLinks, stopMail, webManifest, scim, signedIn]) await app.register(named(plugin))
  refuseOtherMethods()
  for (const plugin of [shareTarget, pages]) await app.register(named(plugin))
}

/**
 * A plugin with its name where Fastify looks for it. Without one, Fastify searches all loaded modules, and registering all
 * plugins takes a tenth of the time of a start.
 */
const named = <Plugin extends (scope: FastifyInstance) => unknown>(plugin: Plugin) =>
  Object.assign(plugin, { [Symbol.for('fastify.display-name')]: plugin.name })
