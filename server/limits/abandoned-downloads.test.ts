import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { transaction, untilLockWait } from '../test/support/open-transactions.ts'
import { startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'

const KB = 1024
const METRICS_TOKEN = 'a-token-that-only-tests-have'
const unreadBytes = { perUser: 300 * KB, perAddress: 300 * KB, total: 300 * KB }
const parley = await startParley({ METRICS_TOKEN }, undefined, { unreadBytes })
const { ada } = await parley.people('ada')

async function measured(name: string) {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const { body } = await parley.app.inject({ url: '/metrics', headers })
  return Number(
    body
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  )
}

/** Requests a file and closes the connection while the server is still checking access. */
async function giveUp(path: string, header: string, table: string) {
  const lock = await transaction(parley.databaseUrl, [`lock table ${table} in access exclusive mode`])
  const line = await openRawConnection(parley.address)
  const request = once(parley.app.server, 'request')
  line.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`)
  await untilLockWait(parley.databaseUrl, table)
  line.socket.destroy()
  const [{ socket }] = (await request) as [IncomingMessage]
  await expect.poll(() => socket.destroyed).toBe(true)
  await lock.rollback()
}

test('a download aborted before it began does not count as stalled', async () => {
  const { url } = (await ada.upload(undefined, 'x.bin', new Uint8Array(200 * KB))).body
  const authorization = `Bearer ${ada.token}`
  for (let n = 0; n < 3; n++) {
    await giveUp(url, `Authorization: ${authorization}`, 'files')
    expect((await parley.app.inject({ url, headers: { authorization } })).statusCode).toBe(200)
  }
  await expect.poll(() => measured('parley_response_bytes_pending')).toBe(0)
})

test('a request aborted while its cookie was checked no longer counts as in flight', async () => {
  const path = '/api/files/01900000-0000-7000-8000-000000000000/x.bin'
  await giveUp(path, `Cookie: ${ada.cookie}`, 'sessions')
  const { statusCode } = await parley.app.inject({ url: path, headers: { cookie: ada.cookie } })
  expect(statusCode).toBe(404)
  await expect.poll(() => measured('parley_queue_length{queue="requests"}')).toBe(0)
})
