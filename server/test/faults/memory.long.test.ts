import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { bounds } from '../../limits/bounds.ts'
import {
  connectAndClose,
  emitLargeEvents,
  fill,
  interlacedPicture,
  paddedBody,
  postRepeatedly,
  requestAllChanges,
  requestEncodedPath,
  requestWithoutReading,
  rssOf,
  sendAttachments,
  uploadRepeatedly,
} from '../support/attacks.ts'
import { type ApiClient, openServerProcess, type ServerProcess, signUpClient } from '../support/server-process.ts'

// Several attacks on the process's memory at a time, within the rate limits. The test asserts bytes, which don't depend on the
// speed of the machine.

const MOST_MB = 600
const SECONDS = 240
const CHANNELS = 40
const METRICS_TOKEN = 'a-token-of-the-test'
/** The caches filled by these loads. */
const FILLED = ['pages', 'changes'] as const

let parley: ServerProcess
let people: Record<'ada' | 'bob' | 'cyd' | 'dan' | 'eve', ApiClient>
let channels: string[]
let general: string
let rev: number

beforeAll(async () => {
  parley = await openServerProcess({ RATE_LIMIT: 'on', METRICS_TOKEN })
  await parley.start()
  const names = ['ada', 'bob', 'cyd', 'dan', 'eve'] as const
  const all: Partial<typeof people> = {}
  for (const name of names) all[name] = await signUpClient(parley.address, name)
  people = all as typeof people
  general = (await people.ada.call('GET', '/api/channels')).body.channels[0].id
  channels = []
  for (let n = 0; n < CHANNELS + 1; n++) {
    const { body } = await people.ada.call('POST', '/api/channels', { name: `channel-${n}` })
    channels.push(body.id)
  }
  const url = await parley.databaseUrl()
  await fill(url, channels.slice(1), people.ada.id, 99)
  await fill(url, channels.slice(0, 1), people.ada.id, 505)
  rev = (await people.ada.call('GET', `/api/messages/channel/${channels[0]}?limit=1`)).rev
}, 300_000)

/** The size of a nearly full cache, in bytes. */
const enough = (cache: (typeof FILLED)[number]) => bounds.cacheBytes[cache] * 0.8

/** The bytes of each cache; unknown while the server is too busy to answer. */
async function readCaches() {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const metrics = await fetch(`${parley.address}/metrics`, { headers, signal: AbortSignal.timeout(5000) })
    .then((answer) => answer.text())
    .catch(() => '')
  return FILLED.map((cache) => Number(metrics.match(`parley_cache_bytes\\{cache="${cache}"\\} (\\d+)`)?.[1] ?? 0))
}

test('the process stays below 600 MB under all memory-hungry loads at the same time', {
  timeout: (SECONDS + 240) * 1000,
}, async () => {
  const { ada, bob, cyd, dan, eve } = people
  const [long, ...others] = channels as [string, ...string[]]
  const picture = await interlacedPicture(8000, 8000)
  const { epoch } = (await ada.call('POST', '/api/sync', { epoch: 'another', revs: {} })).body
  const revs = Object.fromEntries(others.map((id) => [id, 0]))
  const timer = new AbortController()
  const done = timer.signal
  const path = (n: number) => ({ method: 'GET', path: `/api/channels/${long}/changes?after=${rev - 500 + (n % 480)}` })
  const page = (n: number) => ({ method: 'GET', path: `/api/messages/channel/${long}?limit=100&before=${200 + n}` })
  const filling = [
    requestAllChanges(ada, long, rev - 500, rev, done),
    requestAllChanges(bob, long, rev - 500, rev, done),
  ]
  // Otherwise, on a busy machine, the other attacks would use up the limit of unread bytes per address.
  await expect.poll(async () => (await readCaches())[1], { timeout: 120_000 }).toBeGreaterThan(enough('changes'))
  const attacks = [
    ...filling,
    requestWithoutReading(
      cyd,
      Array.from({ length: 300 }, (_, n) => path(n)),
      300,
      done,
    ),
    requestWithoutReading(dan, [{ method: 'POST', path: '/api/sync', body: { epoch, revs } }], 50, done),
    requestWithoutReading(
      eve,
      Array.from({ length: 300 }, (_, n) => page(n)),
      300,
      done,
    ),
    connectAndClose(cyd, Number.POSITIVE_INFINITY, done),
    requestEncodedPath(dan, done),
    sendAttachments(ada, 900, done),
    ...[ada, bob, cyd, dan, eve].flatMap((person) => [
      emitLargeEvents(person, general, 60_000, done),
      emitLargeEvents(person, general, 3_000, done),
      postRepeatedly(person, '/api/sync', paddedBody({ epoch, revs }, 600), 60, done),
      postRepeatedly(person, '/api/channels/compare', paddedBody({ held: {} }, 900_000), 3, done),
    ]),
    uploadRepeatedly(eve, picture, done),
    uploadRepeatedly(bob, picture, done),
  ]
  let most = 0
  const cached = FILLED.map(() => 0)
  for (const end = Date.now() + SECONDS * 1000; Date.now() < end && parley.isRunning(); await sleep(100)) {
    most = Math.max(most, await rssOf(parley.pid() as number))
    if (Math.random() < 0.05)
      for (const [n, bytes] of (await readCaches()).entries()) cached[n] = Math.max(cached[n] ?? 0, bytes)
  }
  timer.abort()
  const results = await Promise.allSettled(attacks)
  console.log(
    `resident memory: ${most.toFixed()} MB at the most; ${FILLED.map((cache, n) => `${cache} ${cached[n]} bytes`).join(', ')}`,
  )
  // All attacks ran.
  for (const result of results) expect(result).not.toEqual({ status: 'fulfilled', value: 0 })
  expect(parley.isRunning()).toBe(true)
  for (const [n, cache] of FILLED.entries()) expect(cached[n], cache).toBeGreaterThan(enough(cache))
  expect(most).toBeLessThan(MOST_MB)
})
