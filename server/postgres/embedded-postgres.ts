import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import { program } from './binaries.ts'
import { type Cluster, clusterCommand, prepareCluster } from './cluster.ts'
import { lockFolder } from './folder-lock.ts'
import {
  acquireOwnerLock,
  anotherParley,
  clearOwner,
  connect,
  recordOwner,
  stopLeftover,
  stopPostmaster,
} from './postmaster.ts'
import { maxConnections, settings } from './settings.ts'

export type EmbeddedPostgres = {
  /** postgres:// URL of the database `parley`, with user and password. */
  url: string
  /** Closes all connections and stops PostgreSQL. May be called repeatedly. */
  stop: () => Promise<void>
  /** Resolves when PostgreSQL has ended: with an error, or undefined after `stop`. Never rejects. */
  exited: Promise<Error | undefined>
}

interface Options {
  dataDir: string
  password: string
  log: (line: string) => void
  /** On 127.0.0.1; a free one by default. */
  port?: number
  /** The most connections that its clients open. */
  connections?: number
  /** PostgreSQL's settings by name, which override ours. */
  overrides?: Record<string, string>
  /** Aborts the start: the server is stopped, and the promise rejects with the signal's reason. */
  signal?: AbortSignal
}

type Server = { child: ChildProcess; port: number; ended: Promise<string>; endedWith: () => string | undefined }

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, which the first start creates, and creates the database `parley` if there is
 * none. The first start sets the superuser's `password`; later starts need the same. `log` receives a line if recovery
 * takes long. A server left by a killed Parley is stopped first. Rejects with an error for the administrator: no binaries, no
 * account, another Parley on the same directory, wrong password, or PostgreSQL did not start (with its last log lines).
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, password } = options
  const unlock = lockFolder(dataDir)
  try {
    const cluster = await prepareCluster(dataDir, password)
    const postgres = await startOn(cluster, options)
    void postgres.exited.then(unlock)
    return postgres
  } catch (error) {
    unlock()
    throw error
  }
}

async function startOn(cluster: Cluster, options: Options): Promise<EmbeddedPostgres> {
  const { password, log, signal } = options
  for (let attempt = 1; ; attempt += 1) {
    await stopLeftover(cluster, password)
    const server = await launch(cluster, options)
    const owner = await acquire(server, cluster, { password, log, signal })
    if (owner) {
      await recordOwner(cluster)
      return supervise(server, owner, cluster, password)
    }
    const lines = await lastLogLines(cluster, await server.ended)
    // Another start was faster, a killed server's last process has not ended yet, or the port was taken.
    const isTransient = /lock file|still in use|TCP\/IP sockets/.test(lines)
    if (!isTransient || attempt === 20)
      throw new Error(`PostgreSQL did not start: ${fullDiskHint(cluster, lines)}${lines}`)
    await sleep(250)
  }
}

const fullDiskHint = ({ dir }: Cluster, lines: string) =>
  lines.includes('No space left on device')
    ? `the disk with ${dir} is full. Make room on it, then start Parley again.\n`
    : ''

async function launch(
  cluster: Cluster,
  special: { port?: number; connections?: number; overrides?: Record<string, string> },
): Promise<Server> {
  const port = special.port ?? (await freePort())
  const { directory, options } = await clusterCommand(cluster)
  const connections = { max_connections: maxConnections(special.connections ?? 0) }
  const set = Object.entries({ ...settings, ...connections, port, ...special.overrides }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // Detached, so that Ctrl-C in a terminal does not end it before its clients.
  const child = spawn(program(cluster.native, 'postgres'), [...directory, ...set], {
    ...options,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('error', () => {})
  child.stderr?.on('data', (chunk) => {
    output = (output + chunk).slice(-4000)
  })
  let reason: string | undefined
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', async (code, signal) => {
      if (child.stderr?.readableEnded === false)
        await Promise.race([once(child.stderr, 'end'), sleep(500)]).catch(() => {})
      resolve(`${signal ?? `exit code ${code}`}\n${output}`)
    })
  })
  void ended.then((end) => {
    reason = end
  })
  return { child, port, ended, endedWith: () => reason }
}

/** A free port of 127.0.0.1. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/**
 * Waits until the server responds, and acquires the owner's lock. Returns undefined if the server has ended. Throws if
 * another Parley has taken it over, the password is wrong, it does not respond for 60 seconds, or the start was aborted.
 */
async function acquire(
  server: Server,
  cluster: Cluster,
  { password, log, signal }: { password: string; log: (line: string) => void; signal: AbortSignal | undefined },
) {
  const started = performance.now()
  let deadline = started + 60_000
  let isSlow = false
  for (; performance.now() < deadline; await sleep(20)) {
    if (server.endedWith()?.startsWith('exit code 0')) throw anotherParley(cluster) // which stopped it
    if (server.endedWith() !== undefined) return undefined
    if (signal?.aborted) {
      await stopServer(server, cluster)
      throw signal.reason
    }
    let client: Client | undefined
    try {
      client = await connect(server.port, password, 2000)
      if (await acquireOwnerLock(client)) {
        const { rowCount } = await client.query("select from pg_database where datname = 'parley'")
        if (rowCount === 0) await client.query('create database parley')
        return client
      }
    } catch (error) {
      client?.end().catch(() => {})
      if (!(error instanceof DatabaseError) || error.code === '57P01') continue
      if (error.code === '57P03') {
        // It is recovering; stopping it would only prolong the next start.
        deadline = performance.now() + 60_000
        if (!isSlow && performance.now() > started + 2000)
          log('PostgreSQL is recovering because it was not shut down properly')
        isSlow = performance.now() > started + 2000
      } else if (performance.now() > started + 1000) {
        // Within the first second, another program may have taken the port.
        await stopServer(server, cluster)
        const why =
          error.code === '28P01'
            ? 'secrets.json does not have the password that it was created with. Put the saved one back'
            : error.message
        throw new Error(`The database in ${cluster.dir} cannot be opened: ${why}.`)
      }
      continue
    }
    // Another Parley acquired the lock first, so the server is theirs.
    client.end().catch(() => {})
    server.child.unref()
    server.child.stderr?.destroy()
    throw anotherParley(cluster)
  }
  await stopServer(server, cluster)
  throw new Error(`PostgreSQL is not responding: ${await lastLogLines(cluster, await server.ended)}`)
}

async function stopServer({ child, ended }: Server, cluster: Cluster): Promise<void> {
  // After it has ended, another process may have its id.
  if (child.pid && child.exitCode === null && child.signalCode === null) await stopPostmaster(cluster, child.pid)
  await ended
}

function supervise(server: Server, owner: Client, cluster: Cluster, password: string): EmbeddedPostgres {
  let stopped: Promise<void> | undefined
  const isOver = () => stopped !== undefined || server.endedWith() !== undefined
  // When one of its processes crashes, PostgreSQL closes all connections, and the lock must be acquired again.
  const keepLock = (client: Client) => {
    client.once('end', async () => {
      for (; !isOver(); await sleep(100)) {
        const next = await connect(server.port, password, 2000).catch(() => undefined)
        if (next && (await acquireOwnerLock(next).catch(() => false)) && !isOver()) return keepLock(next)
        next?.end().catch(() => {})
      }
    })
  }
  keepLock(owner)
  return {
    url: `postgres://parley:${encodeURIComponent(password)}@127.0.0.1:${server.port}/parley`,
    stop: () => {
      stopped ??= stopServer(server, cluster).then(() => clearOwner(cluster))
      return stopped
    },
    exited: server.ended.then(async (end) =>
      stopped ? undefined : new Error(`PostgreSQL ended unexpectedly: ${await lastLogLines(cluster, end)}`),
    ),
  }
}

/** Logged by PostgreSQL for each of our attempts to connect while it starts. */
const TOO_EARLY =
  /the database system is (starting up|not yet accepting connections)|Consistent recovery state has not been/

/** How it ended and why: from its output if it failed before opening its log, otherwise from the end of the log. */
async function lastLogLines({ dir }: Cluster, end: string): Promise<string> {
  const last = (text: string) =>
    text
      .trim()
      .split('\n')
      .filter((line) => !TOO_EARLY.test(line))
      .slice(-10)
      .join('\n')
  if (end.includes('FATAL')) return last(end)
  const current = await readFile(join(dir, 'current_logfiles'), 'utf8').catch(() => '')
  const logged = await readFile(join(dir, current.replace(/^\S+ /, '').trim()), 'utf8').catch(() => '')
  return `${last(end)}\n${last(logged)}`
}
