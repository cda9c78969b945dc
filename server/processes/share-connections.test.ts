import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { bounds } from '../limits/bounds.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { dataDirOf } from '../test/support/data-dir.ts'
import { SECRET, startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'
import { createSiblings } from './siblings.ts'

const BURST = 5
const IDLE = 5
const PATH = '/socket.io/?EIO=4&transport=polling'

let first: string
let second: string

beforeAll(async () => {
  const { databaseUrl } = await startParley()
  const folder = await mkdtemp(join(tmpdir(), 'parley-siblings-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: dataDirOf(databaseUrl) })
  const rates = { ...bounds.rates, address: { perSecond: 0.001, burst: BURST } }
  const idleConnections = { perAddress: IDLE, total: IDLE }
  async function open(number: number) {
    const siblings = createSiblings({ number, count: 2, folder })
    const app = await buildApp({ config, databaseUrl, secret: SECRET, siblings, bounds: { rates, idleConnections } })
    atEnd(() => app.close())
    return app.listen({ port: 0, host: '127.0.0.1' })
  }
  first = await open(1)
  second = await open(2)
})

async function ask(address: string, from: string, method = 'GET', body = '', connectionId = '') {
  const sending = request(`${address}${PATH}${connectionId && `&sid=${connectionId}`}`, {
    method,
    localAddress: from,
    agent: false,
    // A forged header, which must be ignored.
    headers: { 'x-parley-address': '127.0.0.9' },
  }).end(body)
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: await text(answer) }
}

const PONG = '3'

test('a polling request that arrives at another process counts towards its client’s address', async () => {
  const { body } = await ask(second, '127.0.0.1')
  const { sid } = JSON.parse(body.slice(1))
  expect(sid).toMatch(/^2-/)
  const statuses: (number | undefined)[] = []
  for (let n = 0; n <= BURST; n++) statuses.push((await ask(first, '127.0.0.2', 'POST', PONG, sid)).status)
  expect(statuses).toEqual([...Array.from({ length: BURST }, () => 200), 429])
  expect(await ask(first, '127.0.0.3', 'POST', PONG, sid)).toEqual({ status: 200, body: 'ok' })
})

test('requests forwarded by another process don’t count as idle connections', async () => {
  const { body } = await ask(second, '127.0.0.6')
  const { sid } = JSON.parse(body.slice(1))
  for (let n = 0; n < 2 * IDLE; n++) await ask(first, `127.0.1.${1 + n}`, 'POST', PONG, sid)
  const lines = []
  for (let n = 0; n < 2 * IDLE; n++) lines.push(await openRawConnection(second))
  await Promise.all(lines.slice(0, IDLE).map(({ closed }) => closed))
  expect(lines.slice(IDLE).every(({ socket }) => !socket.destroyed)).toBe(true)
})

test.each([['2-unknown'], ['1-unknown'], ['3-unknown'], ['-unknown'], ['02-x'], ['%00']])(
  'an unknown connection (%s) is refused',
  async (connectionId) => {
    expect(await ask(first, '127.0.0.4', 'GET', '', connectionId)).toMatchObject({ status: 400 })
  },
)

test('a connection of a process that has exited is refused', async () => {
  const { body } = await ask(second, '127.0.0.5')
  const { sid } = JSON.parse(body.slice(1))
  const longPoll = ask(first, '127.0.0.5', 'GET', '', sid).catch(() => ({ status: 0 }))
  await ask(first, '127.0.0.5', 'POST', '1', sid)
  expect([200, 0]).toContain((await longPoll).status)
  expect(await ask(first, '127.0.0.5', 'POST', PONG, sid)).toMatchObject({ status: 400 })
})
