import { migrateWithSnapshot } from './backup/snapshots.ts'
import { readFilesId } from './channels/workspace.ts'
import type { Config } from './config/config.ts'
import { dataDirProblem } from './config/data-dir.ts'
import { findSecret, loadSecrets } from './config/secrets.ts'
import { StartError } from './config/start-error.ts'
import { ONE_NODE } from './config/tls-settings.ts'
import { connectionProblem, connectionShortage, requireCertificates, requirePrimary } from './db/connection-problem.ts'
import { type Db, openDatabase } from './db/database.ts'
import { checkHistory } from './db/history.ts'
import { readLiveNodes } from './db/live-nodes.ts'
import { migrate, readChanges, readExecuted, requireMigrated } from './db/migrate.ts'
import { recordVersion } from './db/rollback-mark.ts'
import { openStorage } from './files/open-storage.ts'
import { checkStore } from './files/store-check.ts'
import { checkSecret, isNewWorkspace, recordSecret } from './identity/secret-check.ts'
import { fillColors } from './people/colors.ts'
import { fillLooks } from './people/looks.ts'

/**
 * Migrates the database, and makes sure that this node belongs to it. A node with another secret changes nothing, one with
 * other files doesn't start.
 * @param namedAt when the command `upgrade` named this version (ISO 8601); empty if it didn't
 * @returns the names of the migrations that ran
 * @throws StartError
 */
export async function prepareDatabase(
  config: Config,
  databaseUrl: string,
  secret: string,
  namedAt = '',
): Promise<string[]> {
  requireCertificates(databaseUrl)
  // No timeout for migrations, nor for waiting for another node's.
  const { db } = openDatabase(databaseUrl, { onError: console.error, timeoutMs: 0 })
  try {
    await requirePrimary(db)
    if (config.tls?.source.kind === 'acme' && (await readLiveNodes(db)).length > 0)
      throw new StartError(`Another node uses this database. ${ONE_NODE}`)
    const isRecorded = await checkSecret(db, secret, config)
    if (!config.migrate) await requireMigrated(db)
    const migrations = config.migrate ? await runMigrations(config, databaseUrl, db, namedAt) : []
    const changes = Object.keys(await readChanges())
    await recordVersion(db, await readExecuted(db), changes)
    await fillLooks(db)
    await fillColors(db)
    if (!isRecorded) await recordSecret(db, secret, config)
    const storage = await openStorage(config, await readFilesId(db))
    await checkStore({ db, storage, config, warn: console.warn })
    await checkHistory(db)
    const shortage = await connectionShortage(db, config.databaseConnections.total, config.processes)
    if (shortage) console.warn(shortage)
    return migrations
  } catch (error) {
    throw connectionProblem(error, config.databaseConnections.total) ?? dataDirProblem(error, config.dataDir) ?? error
  } finally {
    await db.destroy()
  }
}

async function runMigrations(config: Config, databaseUrl: string, db: Db, namedAt: string): Promise<string[]> {
  const options = { db, databaseUrl, config, namedAt, log: console.log }
  const migrations = await migrateWithSnapshot(options, () => migrate(db, { log: console.warn }))
  if (migrations.length > 0) console.log(`Migrated the database: ${migrations.join(', ')}.`)
  return migrations
}

/**
 * Loads the secret of a node with an external database. Generates it if it is missing, but only for a new workspace.
 * @throws StartError
 */
export async function loadSharedSecret(config: Config, databaseUrl: string): Promise<string> {
  const { dataDir, secret } = config
  if (!secret && !(await findSecret(dataDir)) && !(await isUnused(config, databaseUrl)))
    throw new StartError(
      `The database of DATABASE_URL is a workspace's, but ${dataDir} has no secrets.json. Put the saved one back, or set SECRET to the one that its nodes use; nothing was changed.`,
    )
  return (await loadSecrets(config)).identity
}

async function isUnused({ databaseConnections }: Config, databaseUrl: string): Promise<boolean> {
  requireCertificates(databaseUrl)
  const { db } = openDatabase(databaseUrl, { onError: console.error, timeoutMs: 0 })
  try {
    return await isNewWorkspace(db)
  } catch (error) {
    throw connectionProblem(error, databaseConnections.total) ?? error
  } finally {
    await db.destroy()
  }
}
