import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { trustedCertificate } from '../test/support/certificates.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { dataDirOf } from '../test/support/data-dir.ts'
import { SECRET, startParley } from '../test/support/parley.ts'
import { createSiblings } from './siblings.ts'

const PATH = '/socket.io/?EIO=4&transport='

let first: string
let second: string

beforeAll(async () => {
  const { databaseUrl } = await startParley()
  const folder = await mkdtemp(join(tmpdir(), 'parley-siblings-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const { cert, key } = await trustedCertificate()
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(TLS_CERT, cert), writeFile(TLS_KEY, key)])
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: dataDirOf(databaseUrl), TLS_CERT, TLS_KEY })
  async function open(number: number) {
    const siblings = createSiblings({ number, count: 2, folder })
    const app = await buildApp({ config, databaseUrl, secret: SECRET, siblings })
    atEnd(() => app.close())
    return app.listen({ port: 0, host: '127.0.0.1' })
  }
  first = await open(1)
  second = await open(2)
})

async function openConnection(address: string) {
  const { sid } = JSON.parse((await (await fetch(`${address}${PATH}polling`)).text()).slice(1))
  return sid as string
}

test('a WebSocket over TLS that arrives at another process than its connection reaches it', async () => {
  const sid = await openConnection(second)
  expect(sid).toMatch(/^2-/)
  const socket = new WebSocket(`${first.replace('https', 'wss')}${PATH}websocket&sid=${sid}`)
  atEnd(() => socket.close())
  await once(socket, 'open')
  socket.send('2probe')
  const [{ data }] = (await once(socket, 'message')) as [MessageEvent]
  expect(data).toBe('3probe')
})

test('a polling request over TLS that arrives at another process reaches its connection', async () => {
  const sid = await openConnection(second)
  const answer = await fetch(`${first}${PATH}polling&sid=${sid}`, { method: 'POST', body: '3' })
  expect([answer.status, await answer.text()]).toEqual([200, 'ok'])
})

test('an unknown connection is refused', async () => {
  const socket = new WebSocket(`${first.replace('https', 'wss')}${PATH}websocket&sid=2-unknown`)
  await once(socket, 'error')
  expect(socket.readyState).not.toBe(WebSocket.OPEN)
})
