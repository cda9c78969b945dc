import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { VERSION_NAME } from '../../server/installation.ts'
import { commandToken } from '../../server/monitoring/command-token.ts'
import { atEnd } from '../../server/test/support/cleanup.ts'
import { dataDirOf } from '../../server/test/support/data-dir.ts'
import { onDatabase } from '../../server/test/support/database.ts'
import { databaseAt } from '../../server/test/support/new-database.ts'
import { SECRET, startParley } from '../../server/test/support/parley.ts'
import { startRoundRobin } from '../../server/test/support/round-robin.ts'
import { checkAddress } from './check-address.ts'
import { createClocks } from './check-clock.ts'
import { checkDatabase } from './check-database.ts'
import { checkPorts } from './check-ports.ts'
import { examine, type Finding } from './finding.ts'

const TOKEN = commandToken(SECRET)
const NOTHING_LISTENS = 'http://127.0.0.1:9'

let parley: Awaited<ReturnType<typeof startParley>>
let folder: string

beforeAll(async () => {
  parley = await startParley({ TRUST_PROXY: '127.0.0.1' })
  folder = await mkdtemp(join(tmpdir(), 'parley-doctor-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
})

const portOf = (address: string) => new URL(address).port
const problemsOf = (findings: Finding[]) => findings.filter(({ state }) => state === 'problem').map(({ text }) => text)

/** The settings of a Parley that runs, with others. */
const settingsOf = ({ address, databaseUrl } = parley) => ({
  HOST: '127.0.0.1',
  PORT: portOf(address),
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDirOf(databaseUrl),
  SECRET,
})

/** Writes for ever. */
function pour(response: ServerResponse) {
  while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
  if (!response.destroyed) response.once('drain', () => pour(response))
}

function run(settings: NodeJS.ProcessEnv) {
  const env = { ...process.env, FORCE_COLOR: '0', ...settings }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../doctor.ts')], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return once(child, 'close').then(([code]) => ({ code, output }))
}

test('a good installation has nothing to mend', async () => {
  const direct = await startParley()
  const { code, output } = await run({ ...settingsOf(direct), PUBLIC_URL: direct.address })
  expect([code, output]).toEqual([0, expect.stringContaining('Nothing to mend.')])
  for (const line of [
    /ok {3}Ports +Parley runs on port/,
    /ok {3}Disk +.* GB are free/,
    /ok {3}Database +PostgreSQL 1/,
    /ok {3} +The secret is that of the workspace/,
    /ok {3}Address +http.* leads to this workspace/,
    /ok {3} +A WebSocket opens/,
    /ok {3}Clock +It agrees with that of the database/,
  ])
    expect(output).toMatch(line)
})

test('before the first start there is nothing to mend, and nothing is created', async () => {
  const dataDir = join(folder, 'none')
  const { code, output } = await run({ DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' })
  expect([code, output]).toEqual([0, expect.stringContaining(`There is no workspace in ${dataDir}.`)])
  await expect(rm(dataDir)).rejects.toThrow('ENOENT')
})

test('each problem is a line, and the exit code is 1', async () => {
  const settings = {
    ...settingsOf(),
    SECRET: 'x'.repeat(40),
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'chat@example.com',
  }
  const { code, output } = await run({ ...settings, PUBLIC_URL: NOTHING_LISTENS })
  expect(code).toBe(1)
  expect(output).toMatch(/FIX {2}Ports +Something else than this workspace answers on port/)
  expect(output).toMatch(/FIX {2}Database +.*SECRET/)
  expect(output).toMatch(/FIX {2}Mail +Nothing listens on 127\.0\.0\.1:9/)
  expect(output).toContain('3 things to mend.')
})

test('a setting that is not valid is a sentence', async () => {
  expect(await run({ ...settingsOf(), PORT: 'many' })).toEqual({
    code: 1,
    output: 'PORT must be a number from 0 to 65535, not "many".\n',
  })
})

test('only who has the secret sees how a request arrived', async () => {
  const ask = (headers: Record<string, string>) => fetch(`${parley.address}/healthz/request`, { headers })
  const eve = await parley.person('eve')
  for (const authorization of [
    '',
    'Bearer ',
    `Bearer ${eve.token}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${commandToken('other')}`,
  ])
    expect([authorization, (await ask({ authorization })).status]).toEqual([authorization, 404])
  const answer = await ask({ authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '192.0.2.7', via: 'x' })
  expect(await answer.json()).toEqual({
    remote: { address: '127.0.0.1', port: expect.any(Number) },
    isTrusted: true,
    trustProxy: ['127.0.0.1'],
    address: '192.0.2.7',
    isEncrypted: false,
    isSecure: false,
    host: new URL(parley.address).host,
    forwardedFor: ['192.0.2.7'],
  })
})

test('a port that something else uses', async () => {
  const other = createServer((_, response) => response.end('other')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const PORT = String((other.address() as AddressInfo).port)
  const { isRunning, findings } = await checkPorts(readConfig({ HOST: '127.0.0.1', PORT }), TOKEN)
  expect([isRunning, problemsOf(findings)]).toEqual([false, [expect.stringContaining(`set PORT to another port`)]])
})

describe('the public address', () => {
  const check = async (PUBLIC_URL: string, settings: NodeJS.ProcessEnv = {}) => {
    const config = readConfig({ ...settingsOf(), PUBLIC_URL, TRUST_PROXY: '127.0.0.1', ...settings })
    return problemsOf(await checkAddress({ config, token: TOKEN, clocks: createClocks() }))
  }
  const through = async (options: Parameters<typeof startRoundRobin>[1], node = parley.address) =>
    (await startRoundRobin([node], options)).address
  const FORWARDED = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'http' }

  test('a proxy that passes everything on', async () => {
    expect(await check(await through({ addedHeaders: FORWARDED }))).toEqual([])
  })

  test('a proxy that sends no addresses', async () => {
    expect(await check(await through({}))).toEqual([expect.stringContaining("doesn't send X-Forwarded-For")])
  })

  test('a proxy that TRUST_PROXY does not name', async () => {
    const untrusting = await startParley()
    const settings = { ...settingsOf(untrusting), TRUST_PROXY: '' }
    const address = await through({ addedHeaders: FORWARDED }, untrusting.address)
    expect(await check(address, settings)).toEqual([expect.stringContaining('Set TRUST_PROXY=127.0.0.1.')])
  })

  test('a proxy that TRUST_PROXY names and that saw this machine itself', async () => {
    expect(await check(await through({ addedHeaders: { ...FORWARDED, 'x-forwarded-for': '127.0.0.1' } }))).toEqual([])
  })

  test('a second proxy before it that TRUST_PROXY does not name', async () => {
    const addedHeaders = { ...FORWARDED, 'x-forwarded-for': '198.51.100.4, 192.0.2.7' }
    expect(await check(await through({ addedHeaders }))).toEqual([expect.stringContaining('another proxy (192.0.2.7)')])
  })

  test('no proxy, although TRUST_PROXY names one', async () => {
    expect(await check(parley.address)).toEqual([])
  })

  test('other settings than those of the Parley that runs', async () => {
    const address = await through({ addedHeaders: FORWARDED })
    expect(await check(address, { TRUST_PROXY: '10.9.9.9' })).toEqual([
      expect.stringContaining('has TRUST_PROXY=127.0.0.1, but these settings have 10.9.9.9'),
    ])
  })

  test('an answer that is JSON, but not Parley’s; one without an end; one that redirects', async () => {
    const answers = [
      [(response: ServerResponse) => void response.end('{}'), 'Something else than this workspace answers'],
      [(response: ServerResponse) => void response.end('null'), 'Something else than this workspace answers'],
      [(response: ServerResponse) => void pour(response), 'Something else than this workspace answers'],
      [(response: ServerResponse) => void response.writeHead(302, { location: '/login' }).end(), 'redirects to /login'],
    ] as const
    for (const [answer, text] of answers) {
      const other = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      expect(await check(`http://127.0.0.1:${port}`)).toEqual([expect.stringContaining(text)])
      other.closeAllConnections()
      other.close()
    }
  })

  test('a proxy that blocks WebSockets', async () => {
    const address = await through({ addedHeaders: FORWARDED, blocksWebSockets: true })
    expect(await check(address)).toEqual([expect.stringContaining('Upgrade and Connection')])
  })

  test('a proxy whose target is gone, another server, and nothing at all', async () => {
    const other = createServer((_, response) => response.writeHead(502, { server: 'nginx' }).end()).listen(
      0,
      '127.0.0.1',
    )
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    expect(await check(`http://127.0.0.1:${port}`)).toEqual([expect.stringContaining('(nginx) answers 502')])
    const stranger = await startParley()
    const another = await run({ ...settingsOf(), PUBLIC_URL: stranger.address, SECRET: 'z'.repeat(40) })
    expect(another.code).toBe(1)
    expect(await check(NOTHING_LISTENS)).toEqual([expect.stringContaining('Nothing answers at 127.0.0.1:9')])
    expect(await check('http://nowhere.invalid')).toEqual([
      expect.stringContaining('nowhere.invalid is not a known name'),
    ])
  })
})

describe('the database', () => {
  const check = async (url: string, settings: NodeJS.ProcessEnv = {}, secret = SECRET) => {
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDirOf(parley.databaseUrl), ...settings })
    return problemsOf(
      await examine('DATABASE_URL', () => checkDatabase({ config, url, secret, clocks: createClocks() })),
    )
  }

  test('that cannot be reached, and that refuses the password', async () => {
    expect(await check('postgres://127.0.0.1:9/parley')).toEqual([expect.stringContaining('ECONNREFUSED')])
    const url = new URL(parley.databaseUrl)
    url.password = 'wrong'
    const problems = await check(url.href)
    // A PostgreSQL that trusts this machine asks for none.
    if (problems.length > 0) expect(problems).toEqual([expect.stringContaining('refuses this account')])
  })

  test('of a workspace whose secret is missing', async () => {
    const config = readConfig({ DATABASE_URL: parley.databaseUrl, DATA_DIR: folder })
    const { databaseUrl: url } = parley
    const findings = await checkDatabase({ config, url, secret: undefined, clocks: createClocks() })
    expect(problemsOf(findings)).toEqual([expect.stringContaining('has no secrets.json')])
  })

  test('of another secret', async () => {
    expect(await check(parley.databaseUrl, {}, 'y'.repeat(40))).toEqual([expect.stringContaining('SECRET')])
  })

  test('that was rolled back from this version', async () => {
    const url = await databaseAt('0072-version')
    const mark = { undone: ['0073-last-backup'], version: VERSION_NAME, at: '2026-01-01T00:00:00.000Z' }
    await onDatabase(url, (client) => client.query(`comment on table workspace is '${JSON.stringify(mark)}'`))
    expect(await check(url)).toEqual([expect.stringContaining('The database was rolled back from this version')])
  })

  test('that allows too few connections', async () => {
    const problems = await check(parley.databaseUrl, { PROCESSES: '64' })
    expect(problems).toEqual([expect.stringContaining('raise max_connections')])
  })

  test('with an encoding that cannot store everything', async () => {
    const url = new URL(parley.databaseUrl)
    const name = `latin_${process.pid}`
    const pg = (await import('pg')).default
    const client = new pg.Client(url.href)
    await client.connect()
    await client.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
    url.pathname = name
    const problems = await check(url.href, {}, '')
    await client.query(`drop database ${name}`)
    await client.end()
    expect(problems).toEqual([expect.stringContaining('Its encoding is LATIN1')])
  })
})
