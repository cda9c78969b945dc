import { beforeAll, expect, test } from 'vitest'
import { type Person, startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'

// Parallel downloads: slow ones are not aborted for others, and paused ones do not block anyone.

const KB = 1024
const METRICS_TOKEN = 'a-token-that-only-tests-have'
const MB = 1024 * KB
const parley = await startParley({ TRUST_PROXY: 'loopback', METRICS_TOKEN }, undefined, {
  downloadBytes: 500 * KB,
  unreadBytes: { perUser: 2100 * KB, perAddress: 4100 * KB, total: 5100 * KB },
  checkIntervalMs: 50,
  stalledDownloadMs: 500,
})
const { ada, bob, cyd, dan } = await parley.people('ada', 'bob', 'cyd', 'dan')
const SIZE = 24 * MB
let film: string
let picture: string

beforeAll(async () => {
  film = (await ada.upload(undefined, 'film.bin', new Uint8Array(SIZE))).body.url
  picture = (await ada.upload(undefined, 'picture.bin', new Uint8Array(200 * KB))).body.url
})

async function measured(name: string) {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const { body } = await parley.app.inject({ url: '/metrics', headers })
  return Number(
    body
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1] ?? 0,
  )
}
const unread = () => measured('parley_response_bytes_pending')
const cuts = (why: string) => measured(`parley_responses_aborted_total{why="${why}"}`)
const state = async () => `${await unread()} ${await cuts('crowded')}`

/** Starts a download without reading it. */
async function begin({ token }: Person, address: string) {
  const line = await openRawConnection(parley.address)
  line.socket.pause()
  const before = await state()
  line.write(
    `GET ${film} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  await expect.poll(state).not.toBe(before)
  return line.socket
}

test('a slow download is not aborted because others are stalled', async () => {
  const slow = await begin(ada, '10.0.1.1')
  let read = 0
  let most = 0
  slow.on('data', (bytes) => {
    read += bytes.length
    if (read >= most) slow.pause()
  })
  const readTo = async (bytes: number) => {
    most = bytes
    slow.resume()
    await expect.poll(() => read).toBeGreaterThanOrEqual(most)
  }
  const others = []
  for (let n = 0; n < 14; n++) {
    others.push(await begin([bob, cyd, dan][n % 3] as Person, `10.0.2.${n}`))
    await readTo((n + 1) * MB)
  }
  expect(await cuts('crowded')).toBeGreaterThan(0)
  await readTo(SIZE)
  for (const socket of [slow, ...others]) socket.destroy()
  await expect.poll(unread).toBe(0)
})

test('paused downloads do not block other requests of the same person', async () => {
  const paused = []
  for (let n = 0; n < 4; n++) paused.push(await begin(bob, '10.0.3.1'))
  const headers = { authorization: `Bearer ${bob.token}` }
  await expect.poll(async () => (await parley.app.inject({ url: picture, headers })).statusCode).toBe(200)
  expect(await cuts('paused')).toBeGreaterThan(0)
  for (const socket of paused) socket.destroy()
  await expect.poll(unread).toBe(0)
})
