import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { isLong, longTest } from '../test/support/long.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const password = "it's a/secret@"
const isRoot = process.getuid?.() === 0
const isWindows = process.platform === 'win32'

// Stopped after each test, even if it failed.
const servers: EmbeddedPostgres[] = []
const owners: ChildProcess[] = []
const directories: string[] = []

afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL')
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  for (const directory of directories.splice(0)) {
    const pid = await postmasterPid(directory).catch(() => 0)
    if (pid > 0 && isRunning(pid)) process.kill(pid, 'SIGQUIT')
    for (let i = 0; i < 100 && pid > 0 && isRunning(pid); i += 1) await sleep(20)
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
})

async function newDirectory(parent = tmpdir()): Promise<string> {
  const directory = await mkdtemp(join(parent, 'parley-postgres-test-'))
  directories.push(directory)
  await chmod(directory, 0o755)
  return directory
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, password, log: () => {} })
  servers.push(server)
  return server
}

/** Starts PostgreSQL from another Node process; resolves with its output: the URL or the error. */
async function startElsewhere(dataDir: string): Promise<{ owner: ChildProcess; output: string }> {
  const code = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)}
    const options = { dataDir: process.env.DATA, password: process.env.PASSWORD, log: () => {} }
    await startEmbeddedPostgres(options).then(({ url }) => console.log(url), (error) => console.log(error.message))`
  const env = { ...process.env, DATA: dataDir, PASSWORD: password }
  const arguments_ = ['--input-type=module', '--no-warnings', '--eval', code]
  const owner = spawn(process.execPath, arguments_, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  owners.push(owner)
  const [output] = await once(owner.stdout, 'data')
  return { owner, output: String(output).trim() }
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('keeps its data between starts, and is accessible only by password and only on 127.0.0.1', async () => {
  const dataDir = await newDirectory()
  const first = await start(dataDir)
  expect(new URL(first.url)).toMatchObject({ hostname: '127.0.0.1', pathname: '/parley', username: 'parley' })
  await query(first.url, 'create table t (x text)')
  await query(first.url, "insert into t values ('kept')")

  const setting = (name: string) => query(first.url, `show ${name}`)
  expect(await setting('listen_addresses')).toEqual(['127.0.0.1'])
  expect(await setting('unix_socket_directories')).toEqual([''])
  expect(await setting('data_checksums')).toEqual(['on'])
  expect(await setting('server_encoding')).toEqual(['UTF8'])
  expect(await query(first.url, "select 'É' ilike 'é', 'B' < 'a'")).toEqual([true, true])
  expect(await query(first.url, 'select datlocale from pg_database where datname = current_database()')).toEqual([
    'C.UTF-8',
  ])
  await expect(query(first.url.replace(/parley:[^@]*@/, 'parley:wrong@'), 'select 1')).rejects.toThrow('password')
  if (!isWindows) expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)

  await first.stop()
  await first.stop()
  expect(await first.exited).toBeUndefined()
  expect(await readdir(dataDir)).toEqual(['parley.lock', 'postgres'])

  const second = await start(dataDir)
  expect(await query(second.url, 'select x from t')).toEqual(['kept'])
  expect((await readdir(join(dataDir, 'postgres/log'))).length).toBeLessThanOrEqual(2)
  await second.stop()

  await expect(startEmbeddedPostgres({ dataDir, password: 'another', log: () => {} })).rejects.toThrow('password')
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
})

longTest('refuses a second owner, and takes over from one that was killed', async () => {
  const dataDir = await newDirectory()
  const { owner, output: url } = await startElsewhere(dataDir)
  await query(url, 'create table t (x text)')
  await query(url, "insert into t values ('kept')")
  const leftover = await postmasterPid(dataDir)

  await expect(start(dataDir)).rejects.toThrow(`Another Parley is running on ${dataDir}`)
  expect(await query(url, 'select x from t')).toEqual(['kept'])

  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(isRunning(leftover)).toBe(true)
  const next = await start(dataDir)
  expect(await postmasterPid(dataDir)).not.toBe(leftover)
  expect(await query(next.url, 'select x from t')).toEqual(['kept'])
})

longTest('lets exactly one of several concurrent starts win', async () => {
  const dataDir = await newDirectory()
  const output = (await Promise.all([1, 2, 3].map(() => startElsewhere(dataDir)))).map((start) => start.output)
  const [url, ...others] = output.sort().reverse()
  expect(others).toEqual([1, 2].map(() => expect.stringContaining('Another Parley')))
  expect(await query(url ?? '', 'select 1')).toEqual([1])
})

longTest('an abandoned start leaves no server running', async () => {
  const dataDir = await newDirectory()
  const signal = AbortSignal.abort(new Error('given up'))
  await expect(startEmbeddedPostgres({ dataDir, password, log: () => {}, signal })).rejects.toThrow('given up')
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  await start(dataDir)
})

longTest('recovers after everything was killed, despite a stale postmaster.pid', async () => {
  const dataDir = await newDirectory()
  const first = await start(dataDir)
  await query(first.url, 'create table t as select 1 as x')
  const stale = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  expect((await first.exited)?.message).toContain('PostgreSQL ended unexpectedly: SIGKILL')

  // Another program of the same account now has the dead process's id, which alone would stop PostgreSQL from starting.
  const second = await start(dataDir)
  expect(await query(second.url, 'select x from t')).toEqual([1])
  const account = await stat(join(dataDir, 'postgres'))
  await second.stop()
  const credentials = isRoot ? { uid: account.uid, gid: account.gid } : {}
  const other = spawn('sleep', ['60'], { ...credentials, cwd: '/', stdio: 'ignore' })
  owners.push(other)
  await once(other, 'spawn')
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), stale.replace(/^\d+/, String(other.pid)))
  const third = await start(dataDir)
  expect(await query(third.url, 'select x from t')).toEqual([1])
  expect(other.exitCode ?? other.signalCode).toBeNull()
})

longTest('distinguishes a copy of the directory from the original, which keeps running', async () => {
  const dataDir = await newDirectory()
  const original = await start(dataDir)
  const copy = await newDirectory()
  await cp(dataDir, copy, { recursive: true })
  const second = await start(copy)
  expect(await query(second.url, 'select 1')).toEqual([1])
  expect(await query(original.url, 'select 1')).toEqual([1])
})

longTest('keeps the directory locked after a session’s crash makes PostgreSQL drop all connections', async () => {
  const dataDir = await newDirectory()
  const server = await start(dataDir)
  const crash = query(server.url, 'select pg_sleep(60)').catch(() => {})
  const find = `select pid from pg_stat_activity where query like '%sleep(60)' and pid <> pg_backend_pid()`
  let pid: unknown
  while (!pid) [pid] = await query(server.url, find)
  process.kill(Number(pid), 'SIGKILL')
  await crash
  await expect(start(dataDir)).rejects.toThrow('Another Parley')
  // It may still be recovering.
  await expect.poll(() => query(server.url, 'select 1').catch(() => [])).toEqual([1])
})

longTest('starts over if the first start was killed midway', async () => {
  const dataDir = await newDirectory()
  const { pid } = spawn(process.execPath, ['--eval', '0'], { stdio: 'ignore' })
  const draft = join(dataDir, `postgres.new-${pid}-abcdef`)
  await mkdir(join(draft, 'base'), { recursive: true })
  await writeFile(join(draft, 'PG_VERSION'), '18\n')
  while (isRunning(Number(pid))) await sleep(20)
  const server = await start(dataDir)
  expect(await query(server.url, 'select 1')).toEqual([1])
  expect(await readdir(dataDir)).toEqual(['parley.lock', 'postgres'])

  const killed = await newDirectory()
  void startElsewhere(killed)
  while (!(await readdir(killed)).some((name) => name.startsWith('postgres.new'))) await sleep(5)
  // In the middle of initdb, which takes longer.
  await sleep(100)
  const owner = owners.at(-1) as ChildProcess
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(await readdir(killed)).not.toContain('postgres')
  expect(await query((await start(killed)).url, 'select 1')).toEqual([1])
})

test.runIf(isRoot && isLong)('runs as another account even if that cannot reach the directory', async () => {
  const parent = await newDirectory()
  await chmod(parent, 0o700)
  const dataDir = join(parent, 'data')
  const first = await start(dataDir)
  expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0)
  await query(first.url, 'create table t as select 1 as x')
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  await first.exited
  const second = await start(dataDir)
  expect(await query(second.url, 'select x from t')).toEqual([1])
  expect(await readdir(join(dataDir, 'postgres/log'))).toHaveLength(1)
})
