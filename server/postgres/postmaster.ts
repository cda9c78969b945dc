import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { program } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { isAlive, isPostgres } from './process-checks.ts'

/** The process that holds this advisory lock in the database `postgres` owns the postmaster. The number is arbitrary. */
const OWNER_LOCK_ID = 7_254_901

/** Thrown by `stopLeftover` and `startEmbeddedPostgres` if a running Parley uses the data directory. */
export function anotherParley({ dir }: Cluster): Error {
  return new Error(`Another Parley is running on ${dir}: stop it first, or set DATA_DIR to another directory.`)
}

/**
 * Connects to the database `postgres` at `port` as the superuser. Rejects with the error of `pg`, such as a timeout. Losing
 * the connection later only emits `end`.
 */
export async function connect(port: number, password: string, timeoutMs: number): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'parley',
    password,
    database: 'postgres',
    ssl: false,
    application_name: 'parley owner',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: 30_000,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Acquires the owner's lock while `client` is connected. False if another connection holds it for 2 seconds. */
export async function acquireOwnerLock(client: Client): Promise<boolean> {
  // PostgreSQL may not have noticed yet that the previous owner was killed.
  for (const until = performance.now() + 2000; performance.now() < until; await sleep(50)) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${OWNER_LOCK_ID}) as acquired`)
    if (rows[0].acquired) return true
  }
  return false
}

/** Contains the owner's process id, for the moments after a PostgreSQL crash in which the owner has lost its lock. */
const ownerFile = ({ dir }: Cluster) => join(dir, 'parley.pid')
/** Directories of clusters that this process owns. */
const owned = new Set<string>()
/** An owner reacquires its lock within this time after PostgreSQL responds. */
const REACQUIRE_TIMEOUT_MS = 10_000

/** Call once this process holds the lock. */
export async function recordOwner(cluster: Cluster): Promise<void> {
  owned.add(cluster.dir)
  await writeFile(ownerFile(cluster), String(process.pid))
}

export async function clearOwner(cluster: Cluster): Promise<void> {
  if (owned.delete(cluster.dir)) await rm(ownerFile(cluster), { force: true })
}

/** Whether the last owner seems to be running. Another process may have its id by now. */
async function seemsOwned(cluster: Cluster): Promise<boolean> {
  const pid = Number(await readFile(ownerFile(cluster), 'utf8').catch(() => '0'))
  // In containers, a restarted Parley often has the same process id as before.
  return pid === process.pid ? owned.has(cluster.dir) : pid > 0 && isAlive(pid)
}

/**
 * Stops a postmaster that a killed Parley left running on the cluster, and removes its `postmaster.pid` if another process
 * has that id by now. Throws an error that says what to do if the postmaster belongs to a running Parley, does not respond,
 * or does not accept `password`.
 */
export async function stopLeftover(cluster: Cluster, password: string): Promise<void> {
  const file = join(cluster.dir, 'postmaster.pid')
  let failures = 0
  let isFreeSince: number | undefined
  for (const until = performance.now() + 60_000; performance.now() < until; await sleep(50)) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) return
    const [pid, , , port] = text.split('\n').map(Number)
    if (pid && !isAlive(pid)) return // PostgreSQL itself handles the file of a process that has ended
    // If it is PostgreSQL after all, the next one detects it by its shared memory, and does not start.
    if (failures > 40 || (pid && !(await isPostgres(pid)))) return removeStale(file, text)
    if (!pid) {
      failures += 1 // the file is being written, or was during a power failure
      continue
    }
    let client: Client | undefined
    try {
      client = await connect(port ?? 0, password, 10_000)
      if (!(await servesDirectory(client, cluster.dir))) return await removeStale(file, text)
      if (await acquireOwnerLock(client)) {
        isFreeSince ??= performance.now()
        const canReacquire = performance.now() - isFreeSince < REACQUIRE_TIMEOUT_MS && (await seemsOwned(cluster))
        if (!canReacquire) return await stopPostmaster(cluster, pid)
        await client.end()
        await sleep(500)
        continue
      }
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string }
      if (code === 'ECONNREFUSED') failures += 1 // starting, or another process has the id
      // 57P..: it is starting or stopping.
      const isPassing = /^(ECONN.*|EPIPE|57P..)$/.test(code) || /^Connection terminated|not queryable/.test(message)
      if (isPassing || !isAlive(pid)) continue
      throw new Error(
        `PostgreSQL (process ${pid}, port ${port}) was left running on ${cluster.dir} and did not stop ` +
          `(${message}): end that process, then start Parley again.`,
      )
    } finally {
      client?.end().catch(() => {})
    }
    throw anotherParley(cluster)
  }
  throw new Error(`PostgreSQL on ${cluster.dir} has been starting or stopping for a minute: try again later.`)
}

/** Removes the file only if it is unchanged: another start may have written its own. */
async function removeStale(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true })
}

/** Whether the server uses this directory, and not a copy with the same password: only then can it see a new file. */
export async function servesDirectory(client: Client, dir: string): Promise<boolean> {
  const name = `parley-${randomUUID()}`
  await writeFile(join(dir, name), '')
  try {
    const { rows } = await client.query('select (pg_stat_file($1, true)).size is not null as found', [name])
    return rows[0].found
  } finally {
    await rm(join(dir, name), { force: true })
  }
}

/**
 * Stops the postmaster `pid` and waits until it has ended: with a fast shutdown, after 20 seconds an immediate one (no data
 * is lost, the next start recovers), after another 10 by force.
 */
export async function stopPostmaster({ native }: Cluster, pid: number): Promise<void> {
  for (const [signal, seconds] of [
    ['INT', 20],
    ['QUIT', 10],
    ['KILL', 10],
  ] as const) {
    try {
      // On Windows, Node's signals would kill the process, while pg_ctl can signal PostgreSQL.
      if (process.platform !== 'win32') process.kill(pid, `SIG${signal}`)
      else await promisify(execFile)(program(native, 'pg_ctl'), ['kill', signal, String(pid)])
    } catch {
      // It has ended already, which the loop notices.
    }
    for (const until = performance.now() + seconds * 1000; performance.now() < until; await sleep(20)) {
      if (!isAlive(pid) || !(await isPostgres(pid))) return
    }
  }
}
