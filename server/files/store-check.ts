import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql, type Transaction } from 'kysely'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { Db } from '../db/database.ts'
import { readLiveNodes } from '../db/live-nodes.ts'
import type { DB } from '../db/schema.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import type { Storage } from './storage.ts'

/** The file with the store's id, which is created once. Moved or copied files take it along. */
const MARKER = '.store'
const ID_BYTES = 36
const CHECK_INTERVAL_MS = 60_000

interface Options {
  db: Db
  storage: Storage
  config: Pick<Config, 's3' | 'dataDir'>
  /** Called if the files are in a different store than before, or the store does not respond. */
  warn: (sentence: string) => void
  /** This node, if it is already connected to the database. */
  node?: string
}

/**
 * The nodes of a workspace share a store: with a different one, a node could not read files that others received. A lone node may
 * use any store, because backups are restored and folders are moved.
 * @returns the id of the store; undefined if the store does not respond
 * @throws StartError if other nodes are running with a different store
 */
export async function checkStore({ db, storage, config, warn, node }: Options): Promise<string | undefined> {
  const id = await readOrMakeId(db, storage).catch(({ message }: Error) => {
    warn(`It is not known whether this node has the files of its workspace: ${message}`)
    return undefined
  })
  if (id === undefined) return undefined
  return db.transaction().execute(async (tx) => {
    await lock(tx)
    const { storeId } = await tx.selectFrom('workspace').select('storeId').executeTakeFirstOrThrow()
    if (storeId === id) return id
    if (storeId !== null) {
      const others = (await readLiveNodes(tx)).filter((it) => it !== node)
      if (others.length > 0) throw new StartError(describeOther(config))
      warn('The files are in another store than before. Those that are only there cannot be read.')
    }
    await tx.updateTable('workspace').set({ storeId: id }).execute()
    return id
  })
}

/** A sentence if the workspace's other nodes use another store; writes nothing. @throws AppError 503 */
export async function findForeignStore({ db, storage, config }: Pick<Options, 'db' | 'storage' | 'config'>) {
  const marker = await storage.read(MARKER, ID_BYTES)
  const { storeId } = await db.selectFrom('workspace').select('storeId').executeTakeFirstOrThrow()
  if (storeId === null || (marker && (await text(marker)) === storeId)) return undefined
  return (await readLiveNodes(db)).length > 0 ? describeOther(config) : undefined
}

/** Serializes nodes until the transaction ends. */
const lock = (tx: Transaction<DB>) => sql`select pg_advisory_xact_lock(hashtext('store_check'))`.execute(tx)

async function readOrMakeId(db: Db, storage: Storage): Promise<string> {
  const read = async () => {
    const marker = await storage.read(MARKER, ID_BYTES)
    return marker && text(marker)
  }
  const known = await read()
  if (known !== undefined) return known
  return db.transaction().execute(async (tx) => {
    await lock(tx)
    // Another node may have been faster.
    const made = await read()
    if (made !== undefined) return made
    const id = randomUUID()
    await storage.write(MARKER, Readable.from([Buffer.from(id)]))
    return id
  })
}

const describeOther = ({ s3, dataDir }: Options['config']) =>
  s3
    ? `The bucket ${s3.bucket} does not hold the files of the workspace’s other nodes: set S3_ENDPOINT and S3_BUCKET to the same on all nodes.`
    : `${dataDir}/files does not hold the files of the workspace’s other nodes: make it a folder that all nodes share, or set S3_BUCKET on all of them.`

export interface StoreCheck {
  /** Whether other nodes have a different store. Then this node cannot serve. */
  isForeign(): boolean
  /** Checks now, as it does every minute. */
  run(): Promise<void>
  stop(): Promise<void>
}

/**
 * Checks the store of a running node: it may have been unreachable at the start, or, while the node was suspended, another one
 * may have switched stores.
 */
export function watchStore({ log, ...options }: Omit<Options, 'warn'> & { log: Logger }): StoreCheck {
  const { db } = options
  let ownId: string | undefined
  let isForeign = false

  async function run() {
    const { storeId } = await db.selectFrom('workspace').select('storeId').executeTakeFirstOrThrow()
    if (ownId !== undefined && storeId === ownId) {
      isForeign = false
      return
    }
    try {
      ownId = await checkStore({ ...options, warn: (sentence) => log.warn(sentence) })
      isForeign = false
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      if (!isForeign) log.error(error.message)
      isForeign = true
    }
  }

  const polling = { intervalMs: CHECK_INTERVAL_MS, log, failure: 'the file store could not be checked' }
  const stop = startPolling(polling, async () => {
    await run()
    return undefined
  })
  return { isForeign: () => isForeign, run, stop }
}
