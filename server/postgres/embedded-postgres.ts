import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import { program } from './binaries.ts'
import { type Cluster, onCluster, prepareCluster } from './cluster.ts'
import {
  anotherParley,
  connect,
  endLeftover,
  forgetOwner,
  noteOwner,
  stopPostmaster,
  takeOwnerLock,
} from './postmaster.ts'
import { settings } from './settings.ts'

export type EmbeddedPostgres = {
  /** postgres:// URL of the database `parley`, with user and password. */
  url: string
  /** Ends all sessions, stops PostgreSQL and resolves when it has gone. May be called more than once. */
  stop: () => Promise<void>
  /** Resolves when PostgreSQL has gone: with an error if it died by itself, undefined after `stop`. Never rejects. */
  exited: Promise<Error | undefined>
}

type Server = { child: ChildProcess; port: number; ended: Promise<string>; endedWith: () => string | undefined }

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, which is created at the first start, on a free port of 127.0.0.1, and
 * makes sure that there is a database `parley`. `password` is the superuser's, given at the first start and needed at
 * every later one. `log` gets one line about what takes long. A server that a killed Parley has left behind is stopped
 * first. Rejects with an error for people to read: no binaries, no account, another Parley on the same directory,
 * wrong password, or PostgreSQL did not start (with its last log lines).
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  password: string
  log: (line: string) => void
  /** A port of 127.0.0.1; a free one unless given. */
  port?: number
  /** PostgreSQL's settings by name, where the usual ones do not fit. */
  special?: Record<string, string>
  /** Gives the start up: the server is stopped, and this rejects with the signal's reason. */
  signal?: AbortSignal
}): Promise<EmbeddedPostgres> {
  const { dataDir, password, log, signal } = options
  const cluster = await prepareCluster(dataDir, password)
  for (let attempt = 1; ; attempt += 1) {
    await endLeftover(cluster, password)
    const server = await launch(cluster, options)
    const owner = await own(server, cluster, { password, log, signal })
    if (owner) {
      await noteOwner(cluster)
      return supervise(server, owner, cluster, password)
    }
    const lines = await lastLogLines(cluster, await server.ended)
    // Another start came in between, a dead server's last session has not ended yet, or the port was taken.
    const isTransient = /lock file|still in use|TCP\/IP sockets/.test(lines)
    if (!isTransient || attempt === 20) throw new Error(`PostgreSQL did not start: ${lines}`)
    await sleep(250)
  }
}

async function launch(cluster: Cluster, given: { port?: number; special?: Record<string, string> }): Promise<Server> {
  const port = given.port ?? (await freePort())
  const { directory, options } = await onCluster(cluster)
  const set = Object.entries({ ...settings, port, ...given.special }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  // Detached: Ctrl-C in a terminal must not end it before its clients.
  const child = spawn(program(cluster.native, 'postgres'), [...directory, ...set], {
    ...options,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let written = ''
  child.stderr?.on('error', () => {})
  child.stderr?.on('data', (chunk) => {
    written = (written + chunk).slice(-4000)
  })
  let reason: string | undefined
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', async (code, signal) => {
      if (child.stderr?.readableEnded === false)
        await Promise.race([once(child.stderr, 'end'), sleep(500)]).catch(() => {})
      resolve(`${signal ?? `exit code ${code}`}\n${written}`)
    })
  })
  void ended.then((end) => {
    reason = end
  })
  return { child, port, ended, endedWith: () => reason }
}

/** A port of 127.0.0.1 that is free now. */
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
 * Waits until the server answers, and takes the owner's lock. Undefined if the server has ended. Throws if another
 * Parley has taken the server over, if the password is wrong, if there is no answer for 60 seconds, and if the start was
 * given up.
 */
async function own(
  server: Server,
  cluster: Cluster,
  { password, log, signal }: { password: string; log: (line: string) => void; signal: AbortSignal | undefined },
) {
  const started = Date.now()
  let deadline = started + 60_000
  let isSlow = false
  for (; Date.now() < deadline; await sleep(20)) {
    if (server.endedWith()?.startsWith('exit code 0')) throw anotherParley(cluster) // which shut it down
    if (server.endedWith() !== undefined) return undefined
    if (signal?.aborted) {
      await stopServer(server, cluster)
      throw signal.reason
    }
    let client: Client | undefined
    try {
      client = await connect(server.port, password, 2000)
      if (await takeOwnerLock(client)) {
        const { rowCount } = await client.query("select from pg_database where datname = 'parley'")
        if (rowCount === 0) await client.query('create database parley')
        return client
      }
    } catch (error) {
      client?.end().catch(() => {})
      if (!(error instanceof DatabaseError) || error.code === '57P01') continue
      if (error.code === '57P03') {
        // It says that it is recovering: to end it now would only make the next start longer.
        deadline = Date.now() + 60_000
        if (!isSlow && Date.now() > started + 2000)
          log('PostgreSQL is recovering because it was not shut down properly')
        isSlow = Date.now() > started + 2000
      } else if (Date.now() > started + 1000) {
        // In the first second the answer may come from another program that has just taken the port.
        await stopServer(server, cluster)
        const why = error.code === '28P01' ? 'the password is not the one it was created with' : error.message
        throw new Error(`The database in ${cluster.dir} cannot be opened: ${why}.`)
      }
      continue
    }
    // Another Parley has found the new server before we had its lock: it is theirs, to be stopped or kept.
    client.end().catch(() => {})
    server.child.unref()
    server.child.stderr?.destroy()
    throw anotherParley(cluster)
  }
  await stopServer(server, cluster)
  throw new Error(`PostgreSQL does not answer: ${await lastLogLines(cluster, await server.ended)}`)
}

async function stopServer({ child, ended }: Server, cluster: Cluster): Promise<void> {
  // The number of a process that has ended may be another's by now.
  if (child.pid && child.exitCode === null && child.signalCode === null) await stopPostmaster(cluster, child.pid)
  await ended
}

function supervise(server: Server, owner: Client, cluster: Cluster, password: string): EmbeddedPostgres {
  let stopped: Promise<void> | undefined
  const isOver = () => stopped !== undefined || server.endedWith() !== undefined
  // PostgreSQL drops all connections when one of its processes crashes; the lock has to be taken again then.
  const keepLock = (client: Client) => {
    client.once('end', async () => {
      for (; !isOver(); await sleep(100)) {
        const next = await connect(server.port, password, 2000).catch(() => undefined)
        if (next && (await takeOwnerLock(next).catch(() => false)) && !isOver()) return keepLock(next)
        next?.end().catch(() => {})
      }
    })
  }
  keepLock(owner)
  return {
    url: `postgres://parley:${encodeURIComponent(password)}@127.0.0.1:${server.port}/parley`,
    stop: () => {
      stopped ??= stopServer(server, cluster).then(() => forgetOwner(cluster))
      return stopped
    },
    exited: server.ended.then(async (end) =>
      stopped ? undefined : new Error(`PostgreSQL ended unexpectedly: ${await lastLogLines(cluster, end)}`),
    ),
  }
}

/** How it ended, and why: from what it wrote before it had a log, else from the end of its log. */
async function lastLogLines({ dir }: Cluster, end: string): Promise<string> {
  const last = (text: string) => text.trim().split('\n').slice(-10).join('\n')
  if (end.includes('FATAL')) return last(end)
  const current = await readFile(join(dir, 'current_logfiles'), 'utf8').catch(() => '')
  const logged = await readFile(join(dir, current.replace(/^\S+ /, '').trim()), 'utf8').catch(() => '')
  return `${last(end)}\n${last(logged)}`
}
