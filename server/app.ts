import helmet from '@fastify/helmet'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { Server } from 'socket.io'
import type { ErrorReply } from '#contract/errors'
import { limits } from '#contract/limits'
import { openDoors } from './access/access.ts'
import { openDepartures } from './access/departures.ts'
import { type Assistant, startAssistant } from './assistant/assistant.ts'
import { followChanges } from './changes/follow-changes.ts'
import { openWatch } from './changes/watch.ts'
import { startPurging } from './channels/purge-channels.ts'
import { readFilesId, welcome } from './channels/workspace.ts'
import type { Config } from './config/config.ts'
import { isUnavailable, openDatabase } from './db/database.ts'
import { newId } from './db/ids.ts'
import { AppError, invalid, unauthenticated, unavailable } from './errors.ts'
import { openStorage } from './files/storage.ts'
import { startSweeping } from './files/sweep-files.ts'
import apiDocs from './http/api-docs.ts'
import { type FrontDoor, isCall, isSameOrigin, openFrontDoor } from './http/front-door.ts'
import { noteMethods } from './http/methods.ts'
import { API_HEADERS, securityHeaders } from './http/security-headers.ts'
import { webClient } from './http/web-client.ts'
import { openIdentity } from './identity/auth.ts'
import { mountIdentity } from './identity/auth-routes.ts'
import { openSessions } from './identity/bearer-tokens.ts'
import { cookieSessions } from './identity/cookie-sessions.ts'
import { noteSessionUses } from './identity/session-activity.ts'
import { type Bounds, bounds as usual } from './limits/bounds.ts'
import { limitAll } from './limits/install-limits.ts'
import { openRates, type Take } from './limits/rate-limiter.ts'
import { limitPeople } from './limits/request-limits.ts'
import { openTurns } from './limits/turns.ts'
import { type MessageRow, present } from './messages/message-rows.ts'
import { createWriter, type Writer } from './messages/writer.ts'
import health from './monitoring/health.ts'
import { type Measures, openMeasures } from './monitoring/metrics.ts'
import { openPeople } from './people/name-cache.ts'
import { keepPresence } from './people/presence.ts'
import { channelRoom, createPublisher, type Realtime, sessionRoom } from './realtime.ts'
import channels from './routes/channels/channels.ts'
import members from './routes/channels/members.ts'
import reading from './routes/channels/read-cursors.ts'
import changes from './routes/channels/sync.ts'
import workspace from './routes/channels/workspace.ts'
import files from './routes/files/files.ts'
import assistant from './routes/messages/assistant.ts'
import messages from './routes/messages/messages.ts'
import reactions from './routes/messages/reactions.ts'
import speech from './routes/messages/speech.ts'
import threads from './routes/messages/threads.ts'
import invites from './routes/people/invites.ts'
import sessionList from './routes/people/sessions.ts'
import users from './routes/people/users.ts'
import search from './routes/search/search.ts'
import { startIndexing } from './search/indexing.ts'
import { openSearchDatabase } from './search/search-database.ts'
import type { Services } from './services.ts'
import { writeAtOnce } from './sockets/batched-writes.ts'
import { closeSockets } from './sockets/close-sockets.ts'
import { checkRoom, settleRoom } from './sockets/room-membership.ts'
import { acceptSockets } from './sockets/sockets.ts'

/** What a signed-in person can reach: the table of contents. */
const features = [
  channels,
  members,
  messages,
  threads,
  reactions,
  reading,
  changes,
  users,
  files,
  search,
  sessionList,
  invites,
  workspace,
  assistant,
  speech,
]

declare module 'fastify' {
  interface FastifyInstance extends Omit<Services, 'log'> {
    assistant: Assistant
    writer: Writer
  }
}

export interface AppOptions {
  config: Config
  databaseUrl: string
  /** Secret of the identity; see secrets.ts. */
  secret: string
  /** Takes the log's lines; standard output unless given. */
  logTo?: { write(line: string): void }
  /** Smaller bounds than the usual ones. */
  bounds?: Partial<Bounds>
}

/** Builds the whole server on a migrated database; the caller listens, and closes it to let everything go. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const bounds = { ...usual, ...options.bounds }
  const measures = openMeasures()
  const take = openRates(options.config.rateLimit, bounds.rates, measures.limited)
  const meet = openFrontDoor(options.config)
  const app = Fastify({
    bodyLimit: bounds.body,
    connectionTimeout: bounds.idle,
    http: { headersTimeout: bounds.slowHead, connectionsCheckingInterval: bounds.slowHead / 4 },
    logger: {
      level: options.config.logLevel,
      // The last are told by the parser of forms.
      redact: ['req.headers.authorization', 'req.headers.cookie', 'busboyOptions.headers'],
      ...(options.logTo && { stream: options.logTo }),
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    // What fails before a route is found, an address that cannot be read: told as every other refusal.
    frameworkErrors: (error, request, reply: FastifyReply) => answerEarly(error, request, reply),
    // A keep-alive connection must not hold up a shutdown.
    forceCloseConnections: 'idle',
    // A file's name stands in its address, nine characters for one of many scripts.
    routerOptions: { maxParamLength: limits.fileName * 9 },
  })
  function answerEarly(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    let said: FastifyError = error
    try {
      take('address', meet(request.raw).neighbourhood)
    } catch (refusal) {
      said = refusal as FastifyError
    }
    return answer(wordsFor(said), request, reply.headers(API_HEADERS))
  }
  try {
    await assemble(app, { ...options, bounds, measures, take, meet })
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}

interface Parts extends AppOptions {
  bounds: Bounds
  measures: Measures
  take: Take
  meet: FrontDoor
}

async function assemble(app: FastifyInstance, { config, databaseUrl, secret, bounds, measures, take, meet }: Parts) {
  const { log } = app
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'a database connection was lost')
  const { db, pool } = openDatabase(databaseUrl, { onError })
  app.addHook('onClose', () => db.destroy())
  const { db: searchDb, pool: searchPool } = openSearchDatabase(databaseUrl, onError)
  app.addHook('onClose', () => searchDb.destroy())
  const io: Realtime = new Server(app.server, {
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: bounds.frame,
    connectTimeout: bounds.slowHandshake,
    allowRequest: (request, decide) => decide(null, isSameOrigin(request.headers.origin, meet(request))),
  })
  closeSockets(app, io)
  writeAtOnce(io)
  const publisher = createPublisher(io, (event) => measures.told.inc({ event }))
  const { publish } = publisher
  const people = openPeople(db, bounds.caches.names)
  const cacheBytes = new Map([['names', people.bytes]])
  const doors = openDoors(pool)
  const departures = openDepartures()
  const publishStored = async (stored: MessageRow[]) => {
    for (const message of await present(people, stored))
      publish(channelRoom(message.channelId), 'message:created', message)
  }
  const checkReaders = (channelId: string) => checkRoom({ db, departures, io, log, publish }, channelId)
  const writer = createWriter({ db, pool, log, publish: publishStored, checkReaders, max: bounds.written })
  const storage = openStorage(config, await readFilesId(db))
  const presence = keepPresence({ db, io, publish, log })
  app.addHook('onClose', async () => presence.stop())
  const turns = openTurns(bounds.reading)
  const core = {
    bounds,
    cacheBytes,
    config,
    db,
    departures,
    doors,
    io,
    people,
    pool,
    presence,
    publish,
    searchDb,
    storage,
  }
  const services = { ...core, log, turns, writer }
  const answering = startAssistant(services)
  app.addHook('onClose', () => answering.close())
  for (const [name, service] of Object.entries({ ...core, turns, writer, assistant: answering }))
    app.decorate(name, service as never)
  app.decorateRequest('userId', '').decorateRequest('sessionId', '').decorateRequest('caller')

  const onArrival = (userId: string) => welcome(services, userId)
  const identity = openIdentity({ config, db, databaseUrl, secret, log, onArrival })
  app.addHook('onClose', () => identity.close())
  const uses = noteSessionUses({ db, io, log })
  app.addHook('onClose', () => uses.stop())
  const watch = await openWatch({ db, log, failures: measures.looksFailed, resets: measures.watchResets })
  app.addHook('onClose', async () => watch.stop())
  const sessions = await openSessions({
    keys: identity.keys,
    ended: watch.ended,
    onUse: uses.note,
    onRevoked: (sessionId) => io.in(sessionRoom(sessionId)).disconnectSockets(true),
  })
  app.addHook('onClose', followChanges(services, watch, sessions, publisher))
  for (const stop of [startPurging({ db, log }), startSweeping({ db, storage, log }), startIndexing({ db, log })])
    app.addHook('onClose', stop)

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = wordsFor(error)
    const url = request.routeOptions.url
    // An outage of the database is told once by each request, not with a stack for each.
    if (known.status === 503) request.log.warn({ reason: error.message, url }, known.message)
    else if (known.status >= 500) request.log.error({ err: error, url }, known.message)
    return answer(known, request, reply)
  })
  // What a program reads needs few headers, and always the same; helmet would compute them with each answer.
  await app.register(helmet, { ...securityHeaders(config), global: false })
  app.addHook('onRequest', async (request, reply) => {
    if (isCall(request)) reply.headers(API_HEADERS)
    else reply.helmet()
    request.caller = meet(request.raw, request.routeOptions.config.isUnlimited)
  })
  const socketLimits = limitAll(app, { bounds, meet, take, measures, searchPool })
  const refuseOtherMethods = noteMethods(app)
  await app.register(health)
  await app.register(apiDocs)
  await app.register(async (scope) => mountIdentity(scope, identity, config))
  const byCookie = cookieSessions(identity, sessions, bounds)
  await app.register(async (signedIn) => {
    signedIn.addHook('onRequest', async (request) => {
      const { authorization, cookie } = request.headers
      const [, token] = /^Bearer (.+)$/.exec(authorization ?? '') ?? []
      const allowsCookie = request.routeOptions.config.allowsCookie && authorization === undefined
      if (!token && !allowsCookie) throw unauthenticated()
      const session = token ? await sessions.verify(token) : undefined
      request.userId = session?.userId ?? (await byCookie(cookie))
      request.sessionId = session?.sessionId ?? ''
    })
    limitPeople(signedIn, { bounds, take })
    for (const feature of features) await signedIn.register(feature)
  })
  refuseOtherMethods()
  await app.register(webClient)
  const settle = (channelId: string, userIds: string[]) => settleRoom(services, channelId, userIds)
  acceptSockets(io, { pool, doors, departures, people, presence, publish, sessions, settle, socketLimits, bounds, log })
}

/** The error as it is told: our own as they are, the framework's refusals as `invalid`, all else as our failure. */
function wordsFor(error: FastifyError): AppError {
  if (error instanceof AppError) return error
  if (isUnavailable(error)) return unavailable()
  if (error.statusCode === 413) return new AppError(413, 'too_large', 'The request is too large')
  if (error.statusCode && error.statusCode < 500) return invalid(error.message)
  return new AppError(500, 'internal', 'Something went wrong here; the request id helps to find it in the log')
}

/** What was said of the content that is not sent after all does not hold for the refusal. */
function answer({ status, code, message, fields, retryAfter }: AppError, request: FastifyRequest, reply: FastifyReply) {
  for (const name of ['content-type', 'content-length', 'content-disposition', 'etag']) reply.removeHeader(name)
  if (retryAfter) reply.header('retry-after', retryAfter)
  const requestId = code === 'internal' && { requestId: request.id }
  const body: ErrorReply = { error: { code, message, ...(fields && { fields }), ...requestId } }
  return reply.status(status).send(body)
}
