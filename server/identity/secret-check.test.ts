import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { deriveKey, loadOrCreateSecrets, loadSecrets } from '../config/secrets.ts'
import { StartError } from '../config/start-error.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { newDataDir, openServerProcess, signUpClient } from '../test/support/server-process.ts'

// Nodes with separate folders on one database. Most run in this process, started in the same way as by server/main.ts.

const makeSecret = () => randomBytes(32).toString('hex')
const REFUSAL = /is not the secret of this workspace: set SECRET to the one that its nodes have used so far/

/** A node that keeps its folder across restarts. */
async function open(databaseUrl: string, SECRET?: string) {
  const dataDir = await newDataDir(databaseUrl)
  atEnd(() => rm(dataDir, { recursive: true, force: true }))
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'trace',
    ...(SECRET && { SECRET }),
  })
  let log = ''
  const logTo = {
    write(line: string) {
      log += line
    },
  }
  let app: Awaited<ReturnType<typeof buildApp>> | undefined
  const stop = async () => app?.close()
  atEnd(stop)
  const node = {
    dataDir,
    address: '',
    log: () => log,
    async start() {
      const { identity: secret } = await loadSecrets(config)
      await prepareDatabase(config, databaseUrl, secret)
      app = await buildApp({ config, databaseUrl, secret, logTo })
      node.address = await app.listen({ port: 0, host: '127.0.0.1' })
    },
    stop,
  }
  return node
}

const query = (url: string, text: string) => onDatabase(url, async (client) => (await client.query(text)).rows)

/** Everything a start could change. */
const stateOf = async (url: string) => ({
  columns: await query(
    url,
    `select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2`,
  ),
  // Running nodes may scan for orphaned files in between.
  rows: await query(url, `select to_jsonb(workspace) - 'orphansScannedAt' as row from workspace`),
  keys: await query(url, 'select * from signing_keys'),
  migrations: await query(url, 'select name from migrations order by name'),
})

/** Whether this node considers a cookie's session alive. */
const tokenStatus = async ({ address }: { address: string }, cookie: string) =>
  (await fetch(`${address}/api/auth/token`, { headers: { cookie } })).status

test('nodes that start concurrently with the same SECRET accept each other’s sessions and tokens; the secret is never stored or printed', async () => {
  const [url, secret] = [await newDatabase(), makeSecret()]
  const [here, there] = [await open(url, secret), await open(url, secret)]
  // Two concurrent first starts.
  await Promise.all([here.start(), there.start()])
  const ada = await signUpClient(here.address, 'ada')
  expect(await tokenStatus(there, ada.cookie)).toBe(200)
  expect((await ada.call('GET', '/api/users', undefined, there.address)).status).toBe(200)

  for (const { dataDir } of [here, there]) expect(await readdir(dataDir)).not.toContain('secrets.json')
  expect(here.log() + there.log()).not.toContain(secret)
  expect(JSON.stringify(await stateOf(url))).not.toContain(secret)
})

longTest(
  'a node with another secret refuses to start with one sentence and changes nothing; the others continue',
  async () => {
    const [url, secret] = [await newDatabase(), makeSecret()]
    const here = await open(url, secret)
    await here.start()
    const ada = await signUpClient(here.address, 'ada')
    const before = await stateOf(url)

    const another = makeSecret()
    const other = await openServerProcess({ DATABASE_URL: url, SECRET: another, LOG_LEVEL: 'trace' })
    await expect(other.start()).rejects.toThrow(/^did not start: .*\nSECRET is not the secret of this workspace/)
    expect(other.log()).not.toMatch(/\n +at /)
    expect(other.log()).not.toContain(another)
    const without = await open(url)
    const refusal = await without.start().catch((error) => error)
    expect(refusal).toBeInstanceOf(StartError)
    expect(refusal.message).toMatch(REFUSAL)
    expect(refusal.message).toContain(join(without.dataDir, 'secrets.json'))

    expect(await stateOf(url)).toEqual(before)
    expect(await tokenStatus(here, ada.cookie)).toBe(200)

    // The manual's instructions for a lost secret.
    await here.stop()
    const manual = await readFile('docs/running/several-nodes.md', 'utf8')
    const [, commands = ''] = /psql "\$DATABASE_URL" (-c[\s\S]*?)```/.exec(manual) ?? []
    const statements = [...commands.matchAll(/-c '([^']+)'/g)].map(([, statement]) => statement as string)
    expect(statements).toHaveLength(3)
    for (const statement of statements) await query(url, statement)
    await other.start()
    expect(await tokenStatus(other, ada.cookie)).toBe(401)
    const headers = { 'content-type': 'application/json', origin: other.address }
    const body = JSON.stringify({ username: 'ada', password: 'correct horse' })
    const signedIn = await fetch(`${other.address}/api/auth/sign-in/username`, { method: 'POST', headers, body })
    const cookie = signedIn.headers.getSetCookie().join('; ')
    expect(await tokenStatus(other, cookie)).toBe(200)
    expect(other.log()).not.toContain(another)
  },
)

longTest(
  'a node that has lost its secret does not start on a workspace’s database, and creates no other secret',
  async () => {
    const url = await newDatabase()
    const node = await openServerProcess({ DATABASE_URL: url })
    await node.start()
    await node.kill('SIGTERM')
    const path = join(node.dataDir, 'secrets.json')
    const saved = await readFile(path)
    await rm(path)
    const before = await stateOf(url)
    await expect(node.start()).rejects.toThrow(
      `\nThe database of DATABASE_URL is a workspace's, but ${node.dataDir} has no secrets.json. Put the saved one back, or set SECRET to the one that its nodes use; nothing was changed.\n`,
    )
    expect(node.log()).not.toMatch(/\n +at /)
    expect(await readdir(node.dataDir)).not.toContain('secrets.json')
    expect(await stateOf(url)).toEqual(before)
    await writeFile(path, saved, { mode: 0o600 })
    await node.start()
  },
)

longTest(
  'an installation of the previous version keeps its secret, recorded at the first start, and refuses others even before that',
  async () => {
    const url = await newDatabase()
    const first = await open(url)
    await first.start()
    const ada = await signUpClient(first.address, 'ada')
    await first.stop()
    // As the previous version left it: with signing keys, without a fingerprint.
    await query(url, 'update workspace set "secretFingerprint" = null')
    const before = await stateOf(url)

    await expect((await open(url, makeSecret())).start()).rejects.toThrow(REFUSAL)
    expect(await stateOf(url)).toEqual(before)

    await first.start()
    expect(await tokenStatus(first, ada.cookie)).toBe(200)
    // The manual's instructions for a second machine.
    const { identity } = JSON.parse(await readFile(join(first.dataDir, 'secrets.json'), 'utf8'))
    const second = await open(url, identity)
    await second.start()
    expect(await tokenStatus(second, ada.cookie)).toBe(200)
    await expect((await open(url, makeSecret())).start()).rejects.toThrow(REFUSAL)
  },
)

longTest(
  'of two concurrent first starts with different secrets, one owns the workspace, and the other is refused',
  async () => {
    const url = await newDatabase()
    const nodes = [await open(url), await open(url)]
    const started = await Promise.allSettled(nodes.map((node) => node.start()))
    expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const loss = started.find((it) => it.status === 'rejected')
    expect(loss?.reason.message).toMatch(REFUSAL)
    const winner = nodes[started.findIndex((it) => it.status === 'fulfilled')]
    await signUpClient(winner?.address as string, 'ada')
  },
)

test('with the embedded database SECRET replaces the generated secret, and is not stored', async () => {
  const [dataDir, secret] = [await newDataDir(), makeSecret()]
  atEnd(() => rm(dataDir, { recursive: true, force: true }))
  const load = (SECRET?: string) => loadSecrets(readConfig({ DATA_DIR: dataDir, ...(SECRET && { SECRET }) }))
  const { identity, database } = await load(secret)
  expect(identity).toBe(secret)
  expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(secret)
  expect((await load()).identity).not.toBe(secret)
  expect(await load(secret)).toEqual({ identity, database })
})

longTest('a process with the embedded database and SECRET keeps its sessions across restarts', async () => {
  const secret = makeSecret()
  const node = await openServerProcess({ SECRET: secret })
  await node.start()
  const ada = await signUpClient(node.address, 'ada')
  await node.kill('SIGTERM')
  expect(JSON.stringify(await loadOrCreateSecrets(node.dataDir))).not.toContain(secret)
  await node.start()
  expect(await tokenStatus(node, ada.cookie)).toBe(200)
})

test('keys are derived per purpose and secret', () => {
  const keys = [deriveKey('a', 'bus'), deriveKey('a', 'links'), deriveKey('b', 'bus')].map((key) => key.toString('hex'))
  expect(new Set(keys).size).toBe(3)
  expect(keys[0]).toHaveLength(64)
  expect(deriveKey('a', 'bus').toString('hex')).toBe(keys[0])
})
