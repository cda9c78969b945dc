import type { FastifyInstance } from 'fastify'
import { createDoors } from './access/access.ts'
import { startAssistant } from './assistant/assistant.ts'
import { startExpiringAudit } from './audit/expire-lines.ts'
import { startBackups } from './backup/schedule.ts'
import { openBus } from './bus/open-bus.ts'
import { watchUnheardNodes } from './bus/unheard-nodes.ts'
import { createLostCommits } from './changes/lost-commits.ts'
import { openWatch } from './changes/watch.ts'
import { startEndingGuests } from './channels/end-guests.ts'
import { startPurging } from './channels/purge-channels.ts'
import { admitToWorkspace, readFilesId } from './channels/workspace.ts'
import type { Config } from './config/config.ts'
import { createSeal } from './config/seal.ts'
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
import { startDemanding } from './identity/factors/demand.ts'
import { trackSessionActivity } from './identity/session-activity.ts'
import { startImporting } from './imports/import-jobs.ts'
import { startReminding } from './later/remind.ts'
import type { Bounds } from './limits/bounds.ts'
import { createTurns } from './limits/turns.ts'
import { createLinkCodes } from './mail/link-codes.ts'
import { type MessageRow, presentMessages } from './messages/message-rows.ts'
import { createWriter } from './messages/writer.ts'
import { observeBus } from './monitoring/bus-metrics.ts'
import type { Metrics } from './monitoring/metrics.ts'
import { startMailing } from './notifications/mail-missed.ts'
import { startPushing } from './notifications/push-notifications.ts'
import { readInvisible } from './people/availability.ts'
import { startEndingStatuses } from './people/end-statuses.ts'
import { createKeywords, readKeywords } from './people/keywords.ts'
import { createNameCache } from './people/name-cache.ts'
import { startApplyingSchedules } from './people/notification-schedule.ts'
import { trackPresence } from './people/presence.ts'
import { startLinkPreviews } from './previews/link-previews.ts'
import { createPushService } from './push/push-service.ts'
import { createFreshness } from './realtime/freshness.ts'
import { openRealtime } from './realtime/open-realtime.ts'
import { channelRoom, sessionRoom } from './realtime/rooms.ts'
import { startRetention } from './retention/expire-messages.ts'
import { startSendingScheduled } from './scheduled/send-due.ts'
import { startIndexing } from './search/indexing.ts'
import { openSearchDatabases } from './search/search-databases.ts'
import type { Services } from './services.ts'
import { applyChanges } from './sockets/apply-changes.ts'
import { receiveNotices } from './sockets/receive-notices.ts'
import { createSocketServer } from './sockets/socket-server.ts'

interface Options {
  config: Config
  databaseUrl: string
  /** The URL of Redis or the database for the bus; tests put a faulty network in between. */
  busUrl: string
  secret: string
  bounds: Bounds
  metrics: Metrics
  readCaller: ReadCaller
  noteRefusedOrigin: NoteRefusedOrigin
}

/** Creates the services and starts the background work. All of it stops, in the reverse order, when the app closes. */
export async function startServices(app: FastifyInstance, options: Options) {
  const node = newNodeId()
  const stores = await openStores(app, options, node)
  const nodes = await joinNodes(app, options, stores, node)
  const services = await createServices(app, options, stores, nodes)
  const assistant = startAssistant(services)
  app.addHook('onClose', () => assistant.close())
  const linkPreviews = startLinkPreviews(services)
  app.addHook('onClose', () => linkPreviews.close())
  const { identity, tokens } = await openIdentity(app, options, services, nodes)
  app.addHook('onClose', startEndingStatuses(services))
  app.addHook('onClose', startApplyingSchedules(services))
  const stopEndingGuests = startEndingGuests(services)
  app.addHook('onClose', () => stopEndingGuests())
  const indexing = startIndexing(services)
  app.addHook('onClose', () => indexing.stop())
  const { bus, watch } = nodes
  app.addHook('onClose', applyChanges({ services, watch, tokens, bus, onTextsChanged: indexing.wake }))
  // Stops before the code that applies its changes.
  app.addHook('onClose', () => watch.stop())
  app.addHook('onClose', () => services.realtime.rounds.stop())
  app.addHook('onClose', startSendingScheduled(services, { assistant, linkPreviews }))
  const jobs = startJobs(app, options, services)
  await bus.start(receiveNotices({ services, pollSoon: watch.pollSoon }))
  return { services, assistant, linkPreviews, ...jobs, identity, tokens, searchPools: stores.search.pools }
}

/** Opens the databases and the file storage. */
async function openStores(app: FastifyInstance, options: Options, node: string) {
  const { config, databaseUrl, bounds, metrics } = options
  const { log } = app
  const { registry } = metrics
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'a database connection was lost')
  const databaseDisk = watchDatabaseDisk({ config, pool: () => pool, registry, log })
  const { db, pool } = openDatabase(databaseUrl, {
    onError,
    onDiskFull: databaseDisk.noteFull,
    max: config.databaseConnections.main,
    settings: { application_name: connectionName(node) },
  })
  app.addHook('onClose', () => db.destroy())
  app.addHook('onClose', () => databaseDisk.stop())
  const search = openSearchDatabases({ config, databaseUrl, bounds, log, registry, onError })
  app.addHook('onClose', () => search.close())
  const workspaceId = await readFilesId(db)
  const storage = await openStorage(config, workspaceId)
  const storeCheck = watchStore({ db, storage, config, node, log })
  app.addHook('onClose', () => storeCheck.stop())
  return { db, pool, databaseDisk, search, storage, storeCheck, workspaceId }
}

type Stores = Awaited<ReturnType<typeof openStores>>

/** Sets up this node's sockets, the bus (fast) and the polling for changes (reliable) that connect it to other nodes. */
async function joinNodes(app: FastifyInstance, options: Options, { db, pool }: Stores, node: string) {
  const { busUrl, secret, bounds, metrics, readCaller, noteRefusedOrigin } = options
  const { log } = app
  const io = createSocketServer(app, bounds, readCaller, noteRefusedOrigin)
  const lostCommits = createLostCommits(db)
  const freshness = createFreshness()
  const { pollsFailed: failures, watchResets: resets } = metrics
  const watch = await openWatch({ db, pool, log, failures, resets, lostCommits, freshness })
  const { observer, observe } = observeBus(metrics.registry)
  const bus = openBus({ node, url: busUrl, secret, epoch: watch.epoch, log, observer })
  app.addHook('onClose', () => bus.close())
  const unheard = watchUnheardNodes({ db, bus, node, log })
  app.addHook('onClose', () => unheard.stop())
  observe(bus, unheard)
  const realtime = openRealtime({
    io,
    bus,
    db,
    pool,
    log,
    snapshot: watch.snapshot,
    freshness,
    pollSoon: watch.pollSoon,
    maxWaitingBytes: bounds.waitingBusBytes,
    onPublish(event, payload) {
      metrics.eventsPublished.inc({ event })
      lostCommits.note(event, payload)
    },
  })
  return { bus, freshness, realtime, watch }
}

type Nodes = Awaited<ReturnType<typeof joinNodes>>

async function createServices(app: FastifyInstance, options: Options, stores: Stores, nodes: Nodes): Promise<Services> {
  const { config, secret, bounds } = options
  const { log } = app
  const { db, pool, search, workspaceId, ...stored } = stores
  const { bus, realtime, watch } = nodes
  const { io, memberSockets, publish, publishHere, removals } = realtime
  const people = createNameCache(db, bounds.cacheBytes.names)
  const keywords = createKeywords(await readKeywords(db))
  const presence = trackPresence({ db, io, bus, publishHere, log, invisible: await readInvisible(db) })
  app.addHook('onClose', async () => presence.stop())

  const publishStored = async (stored: MessageRow[]) => {
    for (const message of await presentMessages(people, stored))
      publish(channelRoom(message.channelId), 'message:created', message)
  }
  return {
    ...stored,
    bounds,
    bus,
    cacheBytes: new Map([
      ['names', people.bytes],
      ['keywords', keywords.bytes],
    ]),
    config,
    db,
    doors: createDoors(pool),
    keywords,
    linkCode: createLinkCodes(secret),
    log,
    memberSockets,
    people,
    pollSoon: () => {
      watch.pollSoon()
      bus.send({ kind: 'poll' })
    },
    pool,
    presence,
    publish,
    push: createPushService(config, secret, workspaceId),
    realtime,
    searchDatabases: search.databases,
    tokenSeal: createSeal(secret, 'tokens'),
    turns: createTurns(bounds.pageReads),
    writer: createWriter({ db, pool, log, publish: publishStored, removals, max: bounds.pendingWrites }),
  }
}

/** Opens the identity and the verification of tokens. */
async function openIdentity(app: FastifyInstance, options: Options, services: Services, nodes: Nodes) {
  const { config, databaseUrl, secret } = options
  const { databaseDisk, db, log, presence, realtime } = services
  const { watch, freshness } = nodes
  const identity = createIdentity({
    config,
    db,
    databaseUrl,
    secret,
    log,
    onArrival: (userId) => arrive(services, userId),
    onUnconfirmed: (userId) =>
      db
        .transaction()
        .execute((tx) => mailConfirmation(tx, services, userId))
        .then(() => {})
        .catch((err) => log.error({ err }, 'could not mail a link to confirm an address')),
    onRightsChanged: services.pollSoon,
    onDiskFull: databaseDisk.noteFull,
  })
  app.addHook('onClose', () => identity.close())
  const activity = trackSessionActivity({ db, io: realtime.io, presence, log })
  app.addHook('onClose', () => activity.stop())
  const tokens = await createBearerTokens({
    db,
    keys: identity.keys,
    ended: watch.ended,
    untilFresh: freshness.untilFresh,
    onUse: activity.track,
    onRevoked: (sessionId) => realtime.io.in(sessionRoom(sessionId)).disconnectSockets(true),
  })
  return { identity, tokens }
}

/** Lets somebody who signs in or up into the workspace; a new owner also into the demo. Returns whether they may enter. */
async function arrive(services: Services, userId: string): Promise<boolean> {
  if (!(await admitToWorkspace(services, userId))) return false
  const demo = services.db.selectFrom('workspace').select('id').where('ownerId', '=', userId)
  if (await demo.where('demo', '=', 'filled').executeTakeFirst()) {
    const { greetOwner } = await import('./demo/greet-owner.ts')
    // They can find everything themselves.
    await greetOwner(services, userId).catch((err) => services.log.error({ err }, 'could not greet the owner'))
  }
  return true
}

/** Starts background jobs. */
function startJobs(app: FastifyInstance, options: Options, services: Services) {
  app.addHook('onClose', startPurging(services))
  app.addHook('onClose', startSweeping(services))
  app.addHook('onClose', startExpiringAudit(services))
  app.addHook('onClose', startDemanding(services))
  app.addHook('onClose', startReminding(services))
  const retention = startRetention(services)
  app.addHook('onClose', () => retention.stop())
  app.addHook('onClose', startBackups(services, options))
  app.addHook('onClose', startMailing(services, options.metrics.registry))
  app.addHook('onClose', startPushing(services, options.metrics.registry))
  const exporting = startExporting(services)
  app.addHook('onClose', () => exporting.stop())
  const importing = startImporting(services)
  app.addHook('onClose', () => importing.stop())
  return { exporting, importing, retention }
}
