import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deriveKey, loadOrCreateSecrets } from '../config/secrets.ts'
import { onDatabase } from '../test/support/database.ts'
import { newDatabase } from '../test/support/new-database.ts'
import { openServerProcess, type ServerProcess, signUpClient } from '../test/support/server-process.ts'

// Nodes in processes and folders of their own, on one database.

const makeSecret = () => randomBytes(32).toString('hex')
const REFUSAL = /is not the secret of this workspace: set SECRET to the one that its nodes have used so far/

const open = (DATABASE_URL: string, SECRET?: string) =>
  openServerProcess({ DATABASE_URL, ...(SECRET && { SECRET }), LOG_LEVEL: 'trace' })

const query = (url: string, text: string) => onDatabase(url, async (client) => (await client.query(text)).rows)

/** Everything a start could change. */
const stateOf = async (url: string) => ({
  columns: await query(
    url,
    `select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2`,
  ),
  // The nodes that run may look for orphaned files meanwhile.
  rows: await query(url, `select to_jsonb(workspace) - 'orphansScannedAt' as row from workspace`),
  keys: await query(url, 'select * from signing_keys'),
  migrations: await query(url, 'select name from migrations order by name'),
})

/** Whether the session that a cookie names lives, as this node sees it. */
const tokenStatus = async ({ address }: ServerProcess, cookie: string) =>
  (await fetch(`${address}/api/auth/token`, { headers: { cookie } })).status

test('nodes that start at once with the same SECRET recognize each other’s sessions and tokens; the secret is stored and printed nowhere', async () => {
  const [url, secret] = [await newDatabase(), makeSecret()]
  const [here, there] = [await open(url, secret), await open(url, secret)]
  // Two first starts at once.
  await Promise.all([here.start(), there.start()])
  const ada = await signUpClient(here.address, 'ada')
  expect(await tokenStatus(there, ada.cookie)).toBe(200)
  expect((await ada.call('GET', '/api/users', undefined, there.address)).status).toBe(200)

  for (const { dataDir } of [here, there]) expect(await readdir(dataDir)).not.toContain('secrets.json')
  expect(here.log() + there.log()).not.toContain(secret)
  expect(JSON.stringify(await stateOf(url))).not.toContain(secret)
})

test('a node with another secret refuses to start in one sentence and changes nothing; the others go on', async () => {
  const [url, secret] = [await newDatabase(), makeSecret()]
  const here = await open(url, secret)
  await here.start()
  const ada = await signUpClient(here.address, 'ada')
  const before = await stateOf(url)

  const other = await open(url, makeSecret())
  await expect(other.start()).rejects.toThrow(/^did not start: .*\nSECRET is not the secret of this workspace/)
  expect(other.log()).not.toMatch(/\n +at /)
  const without = await open(url)
  await expect(without.start()).rejects.toThrow(REFUSAL)
  expect(without.log()).toContain(join(without.dataDir, 'secrets.json'))

  expect(await stateOf(url)).toEqual(before)
  expect(await tokenStatus(here, ada.cookie)).toBe(200)

  // What the manual tells administrators to do if the secret is lost.
  await here.kill('SIGTERM')
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
})

test('an installation of the version before keeps its secret: it is recorded at its first start, and refuses others from before that', async () => {
  const url = await newDatabase()
  const first = await open(url)
  await first.start()
  const ada = await signUpClient(first.address, 'ada')
  await first.kill('SIGTERM')
  // As the version before left it: with signing keys, without a fingerprint.
  await query(url, 'update workspace set "secretFingerprint" = null')
  const before = await stateOf(url)

  await expect((await open(url, makeSecret())).start()).rejects.toThrow(REFUSAL)
  expect(await stateOf(url)).toEqual(before)

  await first.start()
  expect(await tokenStatus(first, ada.cookie)).toBe(200)
  // What the manual tells administrators to do for a second machine.
  const { identity } = JSON.parse(await readFile(join(first.dataDir, 'secrets.json'), 'utf8'))
  const second = await open(url, identity)
  await second.start()
  expect(await tokenStatus(second, ada.cookie)).toBe(200)
  await expect((await open(url, makeSecret())).start()).rejects.toThrow(REFUSAL)
})

test('of two first starts at once with different secrets one owns the workspace, and the other is refused', async () => {
  const url = await newDatabase()
  const nodes = [await open(url), await open(url)]
  const started = await Promise.allSettled(nodes.map((node) => node.start()))
  expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [winner, loser] = started[0]?.status === 'fulfilled' ? nodes : nodes.toReversed()
  expect(loser?.log()).toMatch(REFUSAL)
  await signUpClient(winner?.address as string, 'ada')
})

test('with the embedded database SECRET replaces the generated secret', async () => {
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
