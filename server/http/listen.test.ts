import { spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { listen } from './listen.ts'

const CONNECTIONS = 200

async function openApp(port = 0) {
  const app = Fastify()
  app.get('/', async () => 'here')
  atEnd(() => app.close())
  await listen(app, { port, host: '127.0.0.1' })
  return { app, port: (app.server.address() as AddressInfo).port }
}

/** Connects from another process while this one is blocked. */
function connectMany(port: number) {
  const program = `
    const connect = () => new Promise((done) => require('node:net').connect(${port}, '127.0.0.1', done))
    Promise.all(Array.from({ length: ${CONNECTIONS} }, connect)).then(() => process.exit())`
  expect(spawnSync(process.execPath, ['-e', program]).status).toBe(0)
}

test.runIf(process.platform === 'linux')(
  'a busy node accepts several connections per turn of its event loop',
  async () => {
    const { app, port } = await openApp()
    let accepted = 0
    app.server.on('connection', () => accepted++)
    connectMany(port)
    let turns = 0
    for (; accepted < CONNECTIONS; turns++) await nextTurn()
    expect(turns).toBeLessThan(CONNECTIONS / 2)
  },
)

test('all connections are answered until the app closes, then none', async () => {
  const { app, port } = await openApp()
  const ask = () => fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })
  const answers = await Promise.all(Array.from({ length: CONNECTIONS }, ask))
  expect(await Promise.all(answers.map((it) => it.text()))).toEqual(answers.map(() => 'here'))
  await app.close()
  await expect(ask()).rejects.toThrow()
})

test('a port that another node uses is refused', async () => {
  const { port } = await openApp()
  await expect(openApp(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
