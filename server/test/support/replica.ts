import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type pg from 'pg'
import { vi } from 'vitest'
import { freePort, startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { atEnd } from './cleanup.ts'
import { onDatabase } from './database.ts'
import { family, freeze, signalTo } from './server-process.ts'
import { STATE_TIMEOUT_MS } from './timeouts.ts'

const PASSWORD = 'test'
/** Test data need not survive a crash of the machine. */
const overrides = { fsync: 'off' }
/** Specific to one server, or read from the primary. */
const NOT_COPIED = ['postmaster.pid', 'parley.pid', 'log', 'current_logfiles', 'pgsql_tmp']
const COPIED_EMPTY = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_subtrans', 'pg_stat_tmp']

/**
 * A separate PostgreSQL and its streaming replica, which includes what `prepare` wrote; removed when the test file ends.
 * @param prepare receives the primary's URL
 */
export async function startReplicatedPostgres(prepare?: (url: string) => Promise<void>) {
  const primary = await openServer()
  await primary.start()
  await prepare?.(primary.url)
  const replica = await openServer()
  await copyServer(primary, replica.dataDir)
  await replica.start()

  const lsnOf = async (url: string, call: string) =>
    onDatabase(url, async (client) => (await client.query<{ lsn: string }>(`select ${call} as lsn`)).rows[0]?.lsn)
  return {
    primary,
    replica: {
      ...replica,
      /** Waits until it has replayed everything committed on the primary so far. */
      async untilReplayed() {
        const written = await lsnOf(primary.url, 'pg_current_wal_lsn()')
        const isReplayed = `pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '${written}') >= 0`
        await vi.waitUntil(() => lsnOf(replica.url, isReplayed), { timeout: STATE_TIMEOUT_MS, interval: 20 })
      },
      /** From now on, it replays nothing new. */
      async pauseReplay() {
        await lsnOf(replica.url, 'pg_wal_replay_pause()')
        const isPaused = `pg_get_wal_replay_pause_state() = 'paused'`
        await vi.waitUntil(() => lsnOf(replica.url, isPaused), { timeout: STATE_TIMEOUT_MS, interval: 20 })
      },
      resumeReplay: () => lsnOf(replica.url, 'pg_wal_replay_resume()'),
      /** From now on, it receives nothing, so that a promotion loses everything after this. */
      async stopReceiving() {
        await onDatabase(replica.url, async (client) => {
          await client.query(`alter system set primary_conninfo = ''`)
          await client.query('select pg_reload_conf()')
        })
        const isAlone = 'not exists (select from pg_stat_wal_receiver)'
        await vi.waitUntil(() => lsnOf(replica.url, isAlone), { timeout: STATE_TIMEOUT_MS, interval: 20 })
      },
      /** Promotes it to primary with everything that it has received. */
      promote: () => lsnOf(replica.url, 'pg_promote()'),
    },
  }
}

type Server = Awaited<ReturnType<typeof openServer>>

/** A PostgreSQL on the same port across restarts. */
async function openServer() {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-replica-'))
  const port = await freePort()
  const directory = join(dataDir, 'postgres')
  let running: Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined

  const postmaster = async () => Number.parseInt(await readFile(join(directory, 'postmaster.pid'), 'utf8'), 10)
  async function kill() {
    // Its child processes end with it.
    signalTo(await postmaster(), 'SIGKILL')
    await running?.exited
    await vi.waitUntil(async () => (await family(await postmaster())).length === 0, { timeout: STATE_TIMEOUT_MS })
  }

  atEnd(async () => {
    await running?.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    dataDir,
    directory,
    url: `postgres://parley:${PASSWORD}@127.0.0.1:${port}/parley`,
    async start() {
      running = await startEmbeddedPostgres({ dataDir, password: PASSWORD, log: () => {}, port, overrides })
    },
    stop: () => running?.stop(),
    kill,
    /** Suspends it; returns a function that resumes it. */
    freeze: async () => freeze(await postmaster()),
  }
}

/** Copies a running server like pg_basebackup, which is not part of the embedded PostgreSQL. */
async function copyServer(primary: Server, dataDir: string) {
  await appendFile(join(primary.directory, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
  const directory = join(dataDir, 'postgres')
  // The backup ends with its connection.
  await onDatabase(primary.url, async (client: pg.Client) => {
    await client.query('select pg_reload_conf()')
    await client.query(`select pg_backup_start('replica', true)`)
    await cp(primary.directory, directory, { recursive: true, filter: isCopied })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(join(directory, 'backup_label'), rows[0]?.labelfile ?? '')
  })
  const { hostname, port, username, password } = new URL(primary.url)
  const connection = `host=${hostname} port=${port} user=${username} password=${password} application_name=replica`
  await appendFile(join(directory, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`)
  await writeFile(join(directory, 'standby.signal'), '')
}

const isCopied = (path: string) =>
  !NOT_COPIED.includes(basename(path)) && !COPIED_EMPTY.includes(basename(dirname(path)))
