import type { FastifyInstance } from 'fastify'
import type { ServerEvent } from '#contract/events'
import { createDoors } from './access/access.ts'
import { createDepartures } from './access/departures.ts'
import { createFreshness } from './access/freshness.ts'
import { createHeldEvents } from './access/held-events.ts'
import { createRemovals } from './access/removals.ts'
import { createRoomMembers } from './access/room-members.ts'
import { createRoomQueues } from './access/room-queues.ts'
import { startAssistant } from './assistant/assistant.ts'
import { startBackups } from './backup/schedule.ts'
import { openBus, type StartableBus } from './bus/open-bus.ts'
import { watchUnheardNodes } from './bus/unheard-nodes.ts'
import { createLostCommits } from './changes/lost-commits.ts'
import { openWatch } from './changes/watch.ts'
import { startEndingGuests } from './channels/end-guests.ts'
import { startPurging } from './channels/purge-channels.ts'
import { admitToWorkspace, readFilesId } from './channels/workspace.ts'
import type { Config } from './config/config.ts'
import { openDatabase } from './db/database.ts'
import { watchDatabaseDisk } from './db/full-disk.ts'
import { connectionName, newNodeId } from './db/live-nodes.ts'
import { startExporting } from './exports/export-jobs.ts'
import { openStorage } from './files/open-storage.ts'
import { watchStore } from './files/store-check.ts'
import { startSweeping } from './files/sweep-files.ts'
import type { ReadCaller } from './http/caller.ts'
import type { NoteRefusedOrigin } from './http/refused-origins.ts'
import { createIdentity } from './identity/auth.ts'
import { createBearerTokens } from './identity/bearer-tokens.ts'
import { mailConfirmation } from './identity/email-links.ts'
import { trackSessionActivity } from './identity/session-activity.ts'
import { startImporting } from './imports/import-jobs.ts'
import type { Bounds } from './limits/bounds.ts'
import { createTurns } from './limits/turns.ts'
import { createLinkCodes } from './mail/link-codes.ts'
import { type MessageRow, presentMessages } from './messages/message-rows.ts'
import { createWriter } from './messages/writer.ts'
import { startMailing } from './missed/mail-missed.ts'
import { observeBus } from './monitoring/bus-metrics.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { readInvisible } from './people/availability.ts'
import { startEndingStatuses } from './people/end-statuses.ts'
import { createNameCache } from './people/name-cache.ts'
import { trackPresence } from './people/presence.ts'
import { channelRoom, createPublisher, sessionRoom } from './realtime.ts'
import { startRetention } from './retention/expire-messages.ts'
import { startIndexing } from './search/indexing.ts'
import { openSearchDatabases } from './search/search-databases.ts'
import { applyChanges } from './sockets/apply-changes.ts'
import { createReadyRounds } from './sockets/ready-rounds.ts'
import { receiveMessages } from './sockets/receive-messages.ts'
import { createSocketServer } from './sockets/socket-server.ts'

interface Options {
  config: Config
  databaseUrl: string
  /** Redis or the database as the bus reaches it; tests put a faulty network in between. */
  busUrl: string
  secret: string
  bounds: Bounds
  metrics: Metrics
  readCaller: ReadCaller
  noteRefusedOrigin: NoteRefusedOrigin
}

/** Creates the services and starts the background work. All of it stops, in the reverse order, when the app closes. */
export async function startServices(app: FastifyInstance, options: Options) {
  const { config, databaseUrl, busUrl, secret, bounds, metrics, readCaller } = options
  const { log } = app
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'a database connection was lost')
  const connections = config.databaseConnections
  const node = newNodeId()
  const settings = { application_name: connectionName(node) }
  const databaseDisk = watchDatabaseDisk({ config, pool: () => pool, registry: metrics.registry, log })
  const onDiskFull = databaseDisk.noteFull
  const { db, pool } = openDatabase(databaseUrl, { onError, onDiskFull, max: connections.main, settings })
  app.addHook('onClose', () => db.destroy())
  app.addHook('onClose', () => databaseDisk.stop())
  const search = openSearchDatabases({ config, databaseUrl, bounds, log, registry: metrics.registry, onError })
  app.addHook('onClose', () => search.close())
  const storage = await openStorage(config, await readFilesId(db))
  const storeCheck = watchStore({ db, storage, config, node, log })
  app.addHook('onClose', () => storeCheck.stop())

  const io = createSocketServer(app, bounds, readCaller, options.noteRefusedOrigin)
  const observer = observeBus(
    metrics.registry,
    () => bus,
    () => unheard.count(),
  )
  const lostCommits = createLostCommits(db)
  const { pollsFailed: failures, watchResets: resets } = metrics
  const freshness = createFreshness()
  const watch = await openWatch({ db, pool, log, failures, resets, lostCommits, freshness })
  const bus: StartableBus = openBus({ node, url: busUrl, secret, epoch: watch.epoch, log, observer })
  app.addHook('onClose', () => bus.close())
  const unheard = watchUnheardNodes({ db, bus, node, log })
  app.addHook('onClose', () => unheard.stop())
  const removals = createRemovals(watch.snapshot)
  const roomQueues = createRoomQueues({
    removals,
    log,
    maxBytes: bounds.waitingBusBytes,
    pollSoon: watch.pollSoon,
    onDropped: () => rounds.start(),
  })
  const onPublish = (event: ServerEvent, payload: object) => {
    metrics.eventsPublished.inc({ event })
    lostCommits.note(event, payload)
  }
  const held = createHeldEvents({
    freshness,
    onHeld: watch.pollSoon,
    maxBytes: bounds.waitingBusBytes,
    onDropped: () => rounds.start(),
  })
  freshness.follow(watch.pollSoon, held.release)
  const publisher = createPublisher({ io, bus, roomQueues, held, removals, onPublish })
  const { publish, publishHere } = publisher
  const people = createNameCache(db, bounds.cacheBytes.names)
  const presence = trackPresence({ db, io, bus, publishHere, log, invisible: await readInvisible(db) })
  app.addHook('onClose', async () => presence.stop())

  const departures = createDepartures()
  const publishStored = async (stored: MessageRow[]) => {
    for (const message of await presentMessages(people, stored))
      publish(channelRoom(message.channelId), 'message:created', message)
  }
  const services = {
    bounds,
    bus,
    cacheBytes: new Map([['names', people.bytes]]),
    config,
    databaseDisk,
    db,
    departures,
    doors: createDoors(pool),
    io,
    linkCode: createLinkCodes(secret),
    log,
    people,
    pollSoon: () => {
      watch.pollSoon()
      bus.send(['poll'])
    },
    pool,
    presence,
    publish,
    publishHere,
    removals,
    roomMembers: createRoomMembers({ db, io, bus, departures, held, log, publisher, removals, roomQueues }),
    roomQueues,
    searchDatabases: search.databases,
    storage,
    storeCheck,
    turns: createTurns(bounds.pageReads),
    writer: createWriter({ db, pool, log, publish: publishStored, removals, max: bounds.pendingWrites }),
  }
  const assistant = startAssistant(services)
  app.addHook('onClose', () => assistant.close())

  const onArrival = (userId: string) => admitToWorkspace(services, userId)
  const identity = createIdentity({
    config,
    db,
    databaseUrl,
    secret,
    log,
    onArrival,
    onUnconfirmed: (userId) =>
      db
        .transaction()
        .execute((tx) => mailConfirmation(tx, services, userId))
        .then(() => {})
        .catch((err) => log.error({ err }, 'a link to confirm an address could not be mailed')),
    onRightsChanged: services.pollSoon,
    onDiskFull,
  })
  app.addHook('onClose', () => identity.close())
  const activity = trackSessionActivity({ db, io, log })
  app.addHook('onClose', () => activity.stop())
  const tokens = await createBearerTokens({
    db,
    keys: identity.keys,
    ended: watch.ended,
    untilFresh: freshness.untilFresh,
    onUse: activity.track,
    onRevoked: (sessionId) => io.in(sessionRoom(sessionId)).disconnectSockets(true),
  })
  app.addHook('onClose', startEndingStatuses(services))
  const stopEndingGuests = startEndingGuests(services)
  app.addHook('onClose', () => stopEndingGuests())
  const indexing = startIndexing(services)
  app.addHook('onClose', () => indexing.stop())
  app.addHook('onClose', applyChanges({ services, watch, tokens, publisher, bus, onTextsChanged: indexing.wake }))
  // Stops before what applies its changes.
  app.addHook('onClose', () => watch.stop())
  const rounds = createReadyRounds({ io, log, pool, publishHere })
  app.addHook('onClose', () => rounds.stop())
  for (const stop of [startPurging(services), startSweeping(services)]) app.addHook('onClose', stop)

  const retention = startRetention(services)
  app.addHook('onClose', () => retention.stop())
  app.addHook('onClose', startBackups(services, databaseUrl, metrics.registry))
  app.addHook('onClose', startMailing(services, metrics.registry))
  const exporting = startExporting(services)
  app.addHook('onClose', () => exporting.stop())
  const importing = startImporting(services)
  app.addHook('onClose', () => importing.stop())

  const { republish } = publisher
  await bus.start(receiveMessages({ services, republish, rounds, pollSoon: watch.pollSoon }))
  return { services, assistant, exporting, importing, retention, identity, tokens, searchPools: search.pools }
}
