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

/** Whoever holds this advisory lock in the database `postgres` owns the postmaster; the number is arbitrary. */
const ownerLock = 7_254_901

/** Thrown by `endLeftover` and `startEmbeddedPostgres` if a living Parley uses the data directory. */
export function anotherParley({ dir }: Cluster): Error {
  return new Error(`Another Parley is running on ${dir}: stop it first, or set DATA_DIR to another directory.`)
}

/**
 * A connection to the database `postgres` at `port`, as the superuser. Rejects with the error of `pg`, also if there
 * is no answer within `patience` milliseconds. Losing the connection later only emits `end`.
 */
export async function connect(port: number, password: string, patience: number): Promise<Client> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'parley',
    password,
    database: 'postgres',
    ssl: false,
    application_name: 'parley owner',
    connectionTimeoutMillis: patience,
    query_timeout: 30_000,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Takes the owner's lock for as long as `client` is connected. False if another connection keeps it for 2 seconds. */
export async function takeOwnerLock(client: Client): Promise<boolean> {
  // A Parley that was killed a moment ago may not have been noticed missing yet.
  for (const until = Date.now() + 2000; Date.now() < until; await sleep(50)) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${ownerLock}) as taken`)
    if (rows[0].taken) return true
  }
  return false
}

/** Holds the process id of the Parley that owns the cluster, for the moments in which a crash has cost it the lock. */
const ownerFile = ({ dir }: Cluster) => join(dir, 'parley.pid')
/** Directories of clusters that this process owns. */
const owned = new Set<string>()
/** An owner takes its lock again within this time once PostgreSQL answers. */
const RETAKE_TIMEOUT_MS = 10_000

/** Says that this process owns the cluster, whose lock it holds. */
export async function noteOwner(cluster: Cluster): Promise<void> {
  owned.add(cluster.dir)
  await writeFile(ownerFile(cluster), String(process.pid))
}

/** Says that this process owns the cluster no more. */
export async function forgetOwner(cluster: Cluster): Promise<void> {
  if (owned.delete(cluster.dir)) await rm(ownerFile(cluster), { force: true })
}

/** Whether the process that owned the cluster last seems to be there still. Its number may be another's by now. */
async function seemsOwned(cluster: Cluster): Promise<boolean> {
  const pid = Number(await readFile(ownerFile(cluster), 'utf8').catch(() => '0'))
  // In a container a Parley that was started again often has the number of the one before.
  return pid === process.pid ? owned.has(cluster.dir) : pid > 0 && isAlive(pid)
}

/**
 * Stops the postmaster that a killed Parley has left running on the cluster, if there is one, and removes its
 * `postmaster.pid` if that names a process that is something else by now. Throws an error that says what to do if the
 * postmaster belongs to a living Parley, does not answer, or does not accept `password`.
 */
export async function endLeftover(cluster: Cluster, password: string): Promise<void> {
  const file = join(cluster.dir, 'postmaster.pid')
  let silences = 0
  let isFreeSince: number | undefined
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) return
    const [pid, , , port] = text.split('\n').map(Number)
    if (pid && !isAlive(pid)) return // PostgreSQL itself handles the file of a dead process
    // Should it be the right process after all, PostgreSQL would still notice by its shared memory, and not start.
    if (silences > 40 || (pid && !(await isPostgres(pid)))) return removeStale(file, text)
    if (!pid) {
      silences += 1 // it is just being written, or was when the power failed
      continue
    }
    let client: Client | undefined
    try {
      client = await connect(port ?? 0, password, 10_000)
      if (!(await servesDirectory(client, cluster.dir))) return await removeStale(file, text)
      if (await takeOwnerLock(client)) {
        isFreeSince ??= Date.now()
        const mayRetake = Date.now() - isFreeSince < RETAKE_TIMEOUT_MS && (await seemsOwned(cluster))
        if (!mayRetake) return await stopPostmaster(cluster, pid)
        await client.end()
        await sleep(500)
        continue
      }
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string }
      if (code === 'ECONNREFUSED') silences += 1 // just starting, or the pid is another's
      // 57P..: it is starting or stopping.
      const isPassing = /^(ECONN.*|EPIPE|57P..)$/.test(code) || /^Connection terminated|not queryable/.test(message)
      if (isPassing || !isAlive(pid)) continue
      throw new Error(
        `PostgreSQL (process ${pid}, port ${port}) is left running on ${cluster.dir} and cannot be stopped ` +
          `in an orderly way (${message}): end that process, then start again.`,
      )
    } finally {
      client?.end().catch(() => {})
    }
    throw anotherParley(cluster)
  }
  throw new Error(`PostgreSQL on ${cluster.dir} has been starting or stopping for a minute: try again later.`)
}

/** Only what was judged: another start may have put its own file there since. */
async function removeStale(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true })
}

/** A password and a port can be those of a copy of the directory; only the directory's own server sees a new file. */
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
 * Stops the postmaster `pid` and resolves when it has gone: by a fast shutdown (sessions are ended), after 20 seconds
 * by an immediate one (no data is lost, the next start recovers), after another 10 by force.
 */
export async function stopPostmaster({ native }: Cluster, pid: number): Promise<void> {
  for (const [signal, seconds] of [
    ['INT', 20],
    ['QUIT', 10],
    ['KILL', 10],
  ] as const) {
    try {
      // On Windows Node's signals just end a process; pg_ctl knows how to talk to PostgreSQL there.
      if (process.platform !== 'win32') process.kill(pid, `SIG${signal}`)
      else await promisify(execFile)(program(native, 'pg_ctl'), ['kill', signal, String(pid)])
    } catch {
      // It has gone already, which the loop finds out.
    }
    for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(20)) {
      if (!isAlive(pid) || !(await isPostgres(pid))) return
    }
  }
}
