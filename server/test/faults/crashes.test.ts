import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer, connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { onDatabase } from '../support/database.ts'
import { follow } from '../support/event-follower.ts'
import { isLong, longTest } from '../support/long.ts'
import { audit, noFaults, startSenders, untilSent } from '../support/send-load.ts'
import {
  type ApiClient,
  exhaust,
  family,
  freeze,
  openServerProcess,
  type ServerProcess,
  signalTo,
  signUpClient,
} from '../support/server-process.ts'
import { inTime } from '../support/timeouts.ts'

// Crashes and stalls of the program as users run it. LONG=1 does many rounds of each.
const rounds = isLong ? 50 : 1
let parley: ServerProcess
let people: ApiClient[]
let ada: ApiClient
const channels: string[] = []

beforeAll(async () => {
  parley = await openServerProcess()
  await parley.start()
  people = []
  for (const name of ['ada', 'bob', 'cyd']) people.push(await signUpClient(parley.address, name))
  ada = people[0] as ApiClient
  for (const name of ['kitchen', 'garden', 'garage']) {
    const { body } = await ada.call('POST', '/api/channels', { name })
    for (const person of people.slice(1)) await person.call('POST', `/api/channels/${body.id}/join`)
    channels.push(body.id)
  }
})

const here = () => channels[0] as string
const unavailable = {
  status: 503,
  retryAfter: expect.stringMatching(/^\d+$/),
  body: { error: { code: 'unavailable' } },
}
const say = (content: string, clientId: string, at?: string) =>
  ada.call('POST', '/api/messages', { channelId: here(), content, clientId }, at)
const statusOf = async (path: string) => (await fetch(parley.address + path)).status
const works = () => expect.poll(() => statusOf('/readyz').catch(() => 0), { interval: 50 }).toBe(200)

/** Expects no leaked connections and no abandoned transactions. */
const expectNoLeaks = async () =>
  onDatabase(await parley.databaseUrl(), async (client) => {
    const left = async (state: string) => {
      const { rows } = await client.query(
        `select count(*)::int as n from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid() and ${state}`,
      )
      return rows[0].n as number
    }
    await expect.poll(() => left(`state like 'idle in transaction%'`)).toBe(0)
    // Two pools, of 16 and 6, and the owner's connection.
    await expect.poll(() => left('true')).toBeLessThanOrEqual(23)
  })

/** Waits until the follower has exactly the stored messages, in order. */
async function expectSeen(follower: ReturnType<typeof follow>) {
  const { rows } = await onDatabase(await parley.databaseUrl(), (client) =>
    client.query(`select "channelId", rev || ' ' || id || ' ' || content as line from messages order by seq`),
  )
  for (const id of channels) {
    const stored = rows.filter(({ channelId }) => channelId === id).map(({ line }) => line)
    await expect.poll(() => follower.sees(id)).toEqual(stored)
  }
  expect(follower.epochs.size).toBe(1)
}

test('killed while people send, with its database and alone, no message is lost or duplicated', {
  timeout: rounds * 60_000,
}, async () => {
  const follower = follow(people[1] as ApiClient, channels)
  for (let round = 0; round < rounds; round++) {
    const senders = startSenders(people, channels)
    await untilSent(senders)
    // At a random moment during sends.
    await sleep(Math.random() * 700)
    const postmaster = await parley.postmaster()
    // The database is killed with a stale pid file in the first of three rounds, killed just before the server in the second, and
    // left alive in the third.
    if (round % 3 === 1) signalTo(postmaster?.pid as number, 'SIGKILL')
    const killed = parley.kill('SIGKILL')
    if (round % 3 === 0) signalTo(postmaster?.pid as number, 'SIGKILL')
    await killed
    await parley.start()
    await untilSent(senders)
    await senders.stop()
    expect(await audit(await parley.databaseUrl(), senders.record)).toEqual(noFaults)
  }
  await expectSeen(follower)
  follower.close()
})

test('repeating a send whose answer was lost with the same key returns the same message', async () => {
  const swallower = createServer((client) => {
    const server = dial(Number(new URL(parley.address).port), '127.0.0.1')
    client.pipe(server)
    // The server has responded, so the message is stored, but the client doesn't know.
    server.once('data', () => {
      client.destroy()
      server.destroy()
    })
    for (const socket of [client, server]) socket.on('error', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(swallower, 'listening')
  const { port } = swallower.address() as { port: number }
  for (let i = 0; i < rounds; i++) {
    await expect(say('swallowed', `swallowed-${i}`, `http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
    const { rows } = await onDatabase(await parley.databaseUrl(), (client) =>
      client.query('select id from messages where "clientId" = $1', [`swallowed-${i}`]),
    )
    expect(await say('swallowed', `swallowed-${i}`)).toMatchObject({ status: 200, body: { id: rows[0]?.id } })
  }
  swallower.close()
})

longTest('a late duplicate of a send, after a restart and with different text, returns the first message', async () => {
  const first = await say('the first words', 'late')
  expect(first.status).toBe(201)
  await parley.kill('SIGTERM')
  await parley.start()
  expect(await say('other words', 'late')).toMatchObject({ status: 200, body: first.body })
  const elsewhere = { channelId: channels[1], content: 'the first words', clientId: 'late' }
  expect(await ada.call('POST', '/api/messages', elsewhere)).toMatchObject({
    status: 409,
    body: { error: { code: 'client_id_reused' } },
  })
})

longTest('a frozen database makes requests fail with 503 in time, and everything works once it thaws', async () => {
  const follower = follow(people[1] as ApiClient, channels)
  const senders = startSenders(people, channels)
  await untilSent(senders)
  const { body: mine } = await say('to be edited', 'edited-while-frozen')
  const thaw = await freeze((await parley.postmaster())?.pid as number)
  try {
    const frozenAt = Date.now()
    const asks = () => [
      ...Array.from({ length: 20 }, (_, i) => say('frozen', `frozen-${frozenAt}-${i}`)),
      ...Array.from({ length: 5 }, (_, i) => ada.call('PUT', `/api/messages/${mine.id}`, { content: `frozen ${i}` })),
      ...channels.map((id) => ada.call('GET', `/api/messages/channel/${id}`)),
      ada.call('GET', `/api/channels/${here()}/changes?after=0`),
      ada.call('GET', '/api/channels'),
    ]
    // Twice: first on open connections, then on new ones, which cannot be opened.
    for (let turn = 0; turn < 2; turn++) {
      const [answers] = await Promise.all([
        inTime(Promise.all([...asks(), ada.call('GET', '/readyz')]), parley.address),
        expect(statusOf('/healthz')).resolves.toBe(200),
      ])
      for (const answer of answers) expect(answer).toMatchObject(unavailable)
    }
    const signIn = ada.call('POST', '/api/auth/sign-in/username', { username: 'ada', password: 'correct horse' })
    expect(await inTime(signIn, parley.address)).toMatchObject(unavailable)
    // Longer than the timeouts of connections and sends.
    await sleep(Math.max(0, frozenAt + 8000 - Date.now()))
  } finally {
    thaw()
  }
  expect(parley.isRunning()).toBe(true)
  await works()
  await untilSent(senders)
  await senders.stop()
  expect(senders.refused()).toBeGreaterThan(0)
  expect(await audit(await parley.databaseUrl(), senders.record)).toEqual(noFaults)
  await expectSeen(follower)
  follower.close()
  await expectNoLeaks()
})

longTest(
  'transactions begun on a frozen database do not linger, which would lose messages acknowledged later',
  async () => {
    await Promise.all(people.map((person) => person.call('GET', '/api/channels')))
    const thaw = await freeze((await parley.postmaster())?.pid as number)
    const names = ['attic', 'cellar', 'porch', 'shed']
    // A single transaction on an open connection.
    const answers = await Promise.all(names.map((name) => ada.call('POST', '/api/channels', { name }))).finally(thaw)
    for (const answer of answers) expect(answer).toMatchObject(unavailable)
    await works()
    const senders = startSenders(people, channels)
    await untilSent(senders, 100)
    await senders.stop()
    expect(await audit(await parley.databaseUrl(), senders.record)).toEqual(noFaults)
    await expectNoLeaks()
  },
)

test('when the database dies, requests get 503 until it is restarted automatically', {
  timeout: rounds * 60_000,
}, async () => {
  for (let round = 0; round < Math.ceil(rounds / 3); round++) {
    const follower = follow(people[1] as ApiClient, channels)
    const senders = startSenders(people, channels)
    await untilSent(senders)
    const { pid } = (await parley.postmaster()) as { pid: number }
    signalTo(pid, 'SIGKILL')
    // Until it is back, every request succeeds or is rejected, in time.
    for (const until = Date.now() + 500; Date.now() < until || (await family(pid)).length > 0; ) {
      const answer = await inTime(ada.call('GET', `/api/messages/channel/${here()}?limit=1`), parley.address)
      if (answer.status !== 200) expect(answer).toMatchObject(unavailable)
    }
    await works()
    expect(parley.isRunning()).toBe(true)
    await untilSent(senders)
    await senders.stop()
    expect(senders.refused()).toBeGreaterThan(0)
    expect(await audit(await parley.databaseUrl(), senders.record)).toEqual(noFaults)
    await expectSeen(follower)
    follower.close()
    await expectNoLeaks()
  }
})

longTest('writes to a locked channel get 503 and do not affect other channels', async () => {
  const [held, ...free] = channels as [string, ...string[]]
  const { body: mine } = await say('before', 'before-the-lock')
  const holder = new pg.Client({ connectionString: await parley.databaseUrl() })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from channels where id = $1 for update', [held])
  const there = [
    ...[1, 2, 3].map((n) => say('held', `held-${n}`)),
    ada.call('PUT', `/api/messages/${mine.id}`, { content: 'edited' }),
  ]
  const elsewhere = free.flatMap((channelId) =>
    people.map((person, n) =>
      person.call('POST', '/api/messages', { channelId, content: 'free', clientId: `${n}-${channelId}` }),
    ),
  )
  // All of these complete while the lock is held.
  expect(new Set((await Promise.all(elsewhere)).map(({ status }) => status))).toEqual(new Set([201]))
  for (const answer of await Promise.all(there)) expect(answer).toMatchObject(unavailable)
  expect((await ada.call('GET', `/api/messages/channel/${held}`)).status).toBe(200)
  await holder.query('rollback')
  await holder.end()
  for (const n of [1, 2, 3]) expect((await say('held', `held-${n}`)).status).toBe(201)
})

longTest(
  'two nodes on one database store a message once; without database connections they are alive but not ready',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-nodes-'))
    const postgres = await startEmbeddedPostgres({ dataDir, password: 'test', log: () => {} })
    try {
      const [one, two] = await Promise.all(
        [1, 2].map(() => openServerProcess({ DATABASE_URL: postgres.url, DATA_DIR: join(dataDir, 'nodes') })),
      )
      if (!one || !two) throw new Error('there are two')
      await Promise.all([one.start(), two.start()])
      const eve = await signUpClient(one.address, 'eve')
      const { body } = await eve.call('GET', '/api/channels')
      const channelId = body.channels[0].id
      const post = (clientId: string, at?: string) =>
        eve.call('POST', '/api/messages', { channelId, content: clientId, clientId }, at)
      for (let i = 0; i < rounds * 5; i++) {
        const answers = await Promise.all([one, two, one, two].map(({ address }) => post(`twice-${i}`, address)))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
        expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      }
      await two.kill('SIGTERM')

      const release = await exhaust(postgres.url)
      try {
        const asks = [post('refused'), eve.call('GET', '/api/channels'), eve.call('GET', '/readyz')]
        const answers = await inTime(Promise.all(asks), one.address)
        for (const answer of answers) expect(answer).toMatchObject(unavailable)
        expect((await fetch(`${one.address}/healthz`)).status).toBe(200)
      } finally {
        await release()
      }
      await expect.poll(async () => (await fetch(`${one.address}/readyz`)).status).toBe(200)
      expect((await post('refused')).status).toBe(201)
      await one.kill('SIGTERM')
    } finally {
      await postgres.stop()
    }
  },
)
