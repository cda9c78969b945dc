import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { loadOrCreateSecrets } from './config/secrets.ts'
import { onDatabase } from './test/support/database.ts'
import { isLong, longTest } from './test/support/long.ts'
import { newDatabase } from './test/support/new-database.ts'
import { signUpClient } from './test/support/server-process.ts'

// A start takes minutes on a busy machine: a process, a database and its migrations.
const folders: string[] = []
const children: ChildProcess[] = []

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'parley-main-'))
  folders.push(path)
  return path
}

/** Runs the program like `npm start`; returns its output and how it ended. */
function run(settings: NodeJS.ProcessEnv, args = ['server/main.ts']) {
  const env = { ...process.env, DATABASE_URL: '', PUBLIC_URL: '', LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...settings }
  const child = spawn(process.execPath, args, { env })
  children.push(child)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const address = async () => {
    await expect.poll(() => output).toContain('Parley is ready')
    return /http:\/\/localhost:\d+/.exec(output)?.[0] as string
  }
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number, output }))
  return { child, address, ended, output: () => output }
}

afterAll(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
  await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })))
})

longTest('starts in an empty folder, stops on request, and keeps everything for the next start', async () => {
  const settings = { DATA_DIR: await folder(), PORT: '0' }
  const first = run(settings)
  const body = { name: 'Ada', username: 'ada', email: 'ada@example.com', password: 'correct horse' }
  const headers = { 'content-type': 'application/json' }
  const signUp = (address: string, invite?: string) =>
    fetch(`${address}/api/auth/sign-up/email`, {
      method: 'POST',
      // As through a proxy.
      headers: { ...headers, origin: address, 'x-forwarded-for': '192.0.2.7' },
      body: JSON.stringify({ ...body, invite }),
    })
  const address = await first.address()
  await expect.poll(first.output).toContain('This workspace has no owner yet')
  const [, code] = /\/sign-up#([\w-]{22})\n/.exec(first.output()) ?? []
  expect(await (await signUp(address)).json()).toMatchObject({ code: 'OWNER_LINK_NEEDED' })
  expect((await signUp(address, code)).status).toBe(200)
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)

  const second = run(settings)
  const signIn = await fetch(`${await second.address()}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { ...headers, origin: await second.address() },
    body: JSON.stringify({ email: body.email, password: body.password }),
  })
  expect(signIn.status).toBe(200)
  expect(second.output()).not.toContain('owner')
  second.child.kill('SIGINT')
  expect((await second.ended).code).toBe(0)
})

longTest('DEMO fills a new workspace once, and whoever founds it is let in', async () => {
  const settings = { DATA_DIR: await folder(), PORT: '0', DEMO: 'on' }
  const first = run(settings)
  const nora = await signUpClient(await first.address(), 'nora')
  const names = (await nora.call('GET', '/api/channels?limit=100')).body.channels.map(({ name }: Channel) => name)
  expect(names).toContain('launch')
  expect(first.output()).toContain('Filled the workspace with the demo.')
  first.child.kill('SIGTERM')
  await first.ended
  const second = run(settings)
  await second.address()
  expect(second.output()).not.toContain('demo')
  second.child.kill('SIGTERM')
  await second.ended
})

/** A port that is in use until the test ends. */
async function takePort() {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  return String((taken.address() as AddressInfo).port)
}
const inUse = (port: string) => ({ code: 1, output: `Port ${port} is already in use. Set PORT to another one.\n` })

longTest('a port in use stops startup with one sentence and leaves nothing running', async () => {
  const [port, dataDir] = [await takePort(), await folder()]
  expect(await run({ DATA_DIR: dataDir, PORT: port }).ended).toEqual(inUse(port))
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

longTest('a port in use stops several processes too, and an invalid setting any start, with one sentence', async () => {
  const [port, dataDir] = [await takePort(), await folder()]
  expect(await run({ DATA_DIR: dataDir, PORT: port, PROCESSES: '2' }).ended).toEqual(inUse(port))
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')

  const bad = await run({ DATA_DIR: dataDir, PORT: 'http' }).ended
  expect(bad).toEqual({ code: 1, output: 'PORT must be a number from 0 to 65535, not "http".\n' })
})

longTest('a second Parley in the same folder is refused with one sentence, and the first keeps running', async () => {
  const settings = { DATA_DIR: await folder(), PORT: '0' }
  const first = run(settings)
  const address = await first.address()
  const { code, output } = await run(settings).ended
  expect(code).toBe(1)
  expect(output).toMatch(/^Another Parley is running on [^\n]+\n$/)
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)
})

longTest('an address of another machine stops startup with one sentence', async () => {
  const dataDir = await folder()
  const wrong = [{ HOST: '300.1.1.1' }, { HOST: '192.0.2.1' }, { HOST: '300.1.1.1', PROCESSES: '2' }]
  for (const settings of wrong.slice(0, isLong ? wrong.length : 1))
    expect(await run({ DATA_DIR: dataDir, PORT: '0', SIGNUP: 'invite', ...settings }).ended).toEqual({
      code: 1,
      output: `HOST must be an address of this machine, such as 0.0.0.0 or 127.0.0.1, not "${settings.HOST}".\n`,
    })
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

test('a misspelt setting causes a warning', async () => {
  const { output } = await run({ SIGN_UP: 'invite', PORT: 'http' }).ended
  expect(output).toBe(
    'SIGN_UP is not a setting of Parley and is ignored. Did you mean SIGNUP?\nPORT must be a number from 0 to 65535, not "http".\n',
  )
})

longTest('it can be stopped during startup', async () => {
  const dataDir = await folder()
  const { child, ended } = run({ DATA_DIR: dataDir, PORT: '0' })
  // At this point it handles signals, but has not started its database.
  await expect.poll(() => readdir(dataDir), { interval: 5 }).toContain('secrets.json')
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

const launcher = "import { run } from './scripts/run-node.mjs'; process.exitCode = await run(['server/main.ts'])"

longTest.each([
  ['the program', ['server/main.ts']],
  ['its launcher', ['--input-type=module', '-e', launcher]],
])('when asked to stop repeatedly, %s still stops its database', async (_, args) => {
  const dataDir = await folder()
  const { child, address, ended } = run({ DATA_DIR: dataDir, PORT: '0' }, args)
  await address()
  const again = setInterval(() => {
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) child.kill(signal)
  }, 10)
  await ended.finally(() => clearInterval(again))
  await expect.poll(() => readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

test('concurrent first starts agree on the secrets', async () => {
  const dataDir = await folder()
  const kept = await Promise.all(Array.from({ length: 10 }, () => loadOrCreateSecrets(dataDir)))
  expect(new Set(kept.map((it) => JSON.stringify(it))).size).toBe(1)
  expect(await readdir(dataDir)).toEqual(['secrets.json'])
})

longTest('startup that waits for a silent database ends when told to stop', async () => {
  const silent = createServer((connection) => connection.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { child, ended } = run({
    DATA_DIR: await folder(),
    PORT: '0',
    DATABASE_URL: `postgres://parley:parley@127.0.0.1:${port}/parley`,
  })
  await once(silent, 'connection')
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  silent.close()
})

longTest('a start that fails after it listens ends the process', async () => {
  const url = await newDatabase()
  const settings = { DATABASE_URL: url, DATA_DIR: await folder(), SECRET: 'x'.repeat(32), PORT: '0' }
  const { child, address, ended } = run(settings)
  await address()
  child.kill('SIGTERM')
  await ended
  await onDatabase(url, (client) => client.query('alter table workspace rename demo to "demoOfAnother"'))
  expect(await run(settings).ended).toEqual({
    code: 1,
    output: expect.stringContaining('column "demo" does not exist'),
  })
})
