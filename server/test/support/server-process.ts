import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { loadOrCreateSecrets } from '../../config/secrets.ts'
import { atEnd } from './cleanup.ts'
import { dataDirOf } from './data-dir.ts'
import { freePort } from './free-port.ts'
import { memoryFolder } from './memory-folder.ts'
import { SERVER_COMMAND } from './server-command.ts'
import { STATE_TIMEOUT_MS } from './timeouts.ts'

export type ServerProcess = Awaited<ReturnType<typeof openServerProcess>>

/**
 * A server in a separate process, as run by `npm start`, on the same port across restarts; removed when the test file ends.
 * @param root the folder of its files
 */
export async function openServerProcess(settings: NodeJS.ProcessEnv = {}, root = process.cwd()) {
  const dataDir = settings['DATA_DIR'] ?? (await newDataDir(settings['DATABASE_URL']))
  const port = await freePort()
  const env = {
    ...process.env,
    DATABASE_URL: '',
    REDIS_URL: '',
    SECRET: '',
    PUBLIC_URL: '',
    DRAIN: '0',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
  }
  let child: ChildProcess | undefined
  let output = ''

  async function start() {
    output = ''
    child = spawn(process.execPath, SERVER_COMMAND, {
      cwd: root,
      env: { ...env, RATE_LIMIT: 'off', LINK_PREVIEWS: 'off', DATA_DIR: dataDir, PORT: String(port), ...settings },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk
      })
    }
    for (
      const end = Date.now() + 2 * STATE_TIMEOUT_MS;
      isRunning() && !output.includes('Parley is ready');
      await sleep(20)
    )
      if (Date.now() > end) break
    if (!output.includes('Parley is ready')) throw new Error(`did not start: ${output}`)
  }

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null

  async function kill(signal: NodeJS.Signals) {
    if (!child || !isRunning()) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** Process id and port of the embedded PostgreSQL; undefined if it is not running. */
  async function postmaster() {
    const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
    const [pid, , , at] = text.split('\n').map(Number)
    return pid && at ? { pid, port: at } : undefined
  }

  async function databaseUrl() {
    if (settings['DATABASE_URL']) return settings['DATABASE_URL']
    const { database } = await loadOrCreateSecrets(dataDir)
    return `postgres://parley:${database}@127.0.0.1:${(await postmaster())?.port}/parley`
  }

  atEnd(async () => {
    await kill('SIGKILL')
    const left = await postmaster()
    for (const signal of ['SIGCONT', 'SIGQUIT'] as const)
      for (const pid of left ? await family(left.pid) : []) signalTo(pid, signal)
    for (let i = 0; i < 250 && left && (await family(left.pid)).length > 0; i++) await sleep(20)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    dataDir,
    address: `http://127.0.0.1:${port}`,
    start,
    kill,
    isRunning,
    pid: () => child?.pid,
    postmaster,
    databaseUrl,
    log: () => output,
  }
}

/** A separate folder. Nodes of one database share its files, as they must. */
export async function newDataDir(databaseUrl?: string) {
  const dataDir = await memoryFolder('faults')
  if (!databaseUrl) return dataDir
  const files = join(dataDirOf(databaseUrl), 'files')
  await mkdir(files, { recursive: true })
  await symlink(files, join(dataDir, 'files'), 'junction')
  atEnd(() => rm(files, { recursive: true, force: true }))
  return dataDir
}

/** The process ids of a PostgreSQL and its children, excluding ended and reused ones. */
export async function family(postmaster: number): Promise<number[]> {
  const pids: number[] = []
  for (const name of (await readdir('/proc')).filter((it) => /^\d+$/.test(it))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // "pid (program) state parent …"
    const [, program, state, parent] = /^\d+ \((.*)\) (\w) (\d+)/s.exec(stat) ?? []
    if (!program?.startsWith('postgres') || state === 'Z') continue
    if (Number(name) === postmaster) pids.unshift(postmaster)
    else if (Number(parent) === postmaster) pids.push(Number(name))
  }
  return pids
}

export function signalTo(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already exited.
  }
}

/** Suspends the processes of a PostgreSQL; returns a function that resumes them. */
export async function freeze(postmaster: number) {
  // The postmaster first, so that it starts no new ones.
  signalTo(postmaster, 'SIGSTOP')
  const pids = await family(postmaster)
  for (const pid of pids) signalTo(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) signalTo(pid, 'SIGCONT')
  }
}

/** Occupies all connections of a PostgreSQL, including those of other clients; returns a function that releases them. */
export async function exhaust(url: string) {
  const held: pg.Client[] = []
  const own = new Set<number>()
  const take = async () => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    held.push(client)
    own.add((await client.query('select pg_backend_pid() as pid')).rows[0].pid)
  }
  // Connections that are being opened or closed take a slot but don't show up in pg_stat_activity, so only our own count is
  // reliable.
  for (let isFull = false; !isFull; ) {
    while (
      await take().then(
        () => true,
        ({ code }) => code !== '53300',
      )
    );
    const { rows } = await (held[0] as pg.Client).query(
      `select current_setting('max_connections')::int - count(*) filter (where application_name = 'parley owner') as slots,
         count(*) filter (where pid <> all($1) and application_name <> 'parley owner' and pg_terminate_backend(pid))
       from pg_stat_activity where backend_type = 'client backend'`,
      [[...own]],
    )
    isFull = held.length === Number(rows[0].slots)
  }
  return () => Promise.all(held.map((client) => client.end()))
}

export type ApiClient = Awaited<ReturnType<typeof signUpClient>>

/** Signs up a person at a server process; they use HTTP only. */
export async function signUpClient(address: string, username: string) {
  const headers = { 'content-type': 'application/json', origin: address }
  const email = `${username}@example.com`
  const body = JSON.stringify({ name: username, username, email, password: 'correct horse' })
  const post = (path: string) => fetch(address + path, { method: 'POST', headers, body })
  let signedUp = await post('/api/auth/sign-up/email')
  // On a busy machine, a sign-up may be rejected although the account was stored.
  for (let retries = 0; signedUp.status === 503 && retries < 5; retries++) {
    signedUp = await post('/api/auth/sign-up/email')
    if (signedUp.status >= 400 && signedUp.status !== 503) signedUp = await post('/api/auth/sign-in/email')
  }
  if (signedUp.status !== 200) throw new Error(`${username} could not sign up: ${await signedUp.text()}`)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ')
  const { user } = (await signedUp.json()) as { user: { id: string } }
  const answer = await fetch(`${address}/api/auth/token`, { headers: { cookie } })
  const { token } = (await answer.json()) as { token: string }
  // The first screen, if this is the owner.
  await fetch(`${address}/api/workspace/set-up`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })

  /** Rejects if there is no response within ten seconds. */
  async function call(method: string, path: string, payload?: object, at = address) {
    const answer = await fetch(at + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(payload && { 'content-type': 'application/json' }) },
      ...(payload && { body: JSON.stringify(payload) }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      rev: Number(answer.headers.get('parley-rev')),
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  return { id: user.id, username, token, cookie, address, call }
}
