import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { longTest } from '../test/support/long.ts'
import { serve, startParley } from '../test/support/parley.ts'
import { PUSH_BOUNDS, startPushing } from '../test/support/push-fixture.ts'
import { PUSH_SERVICE_SETTINGS } from '../test/support/push-service.ts'

const {
  ada,
  channelWith,
  devicesOf,
  directWith,
  other,
  outcomesOf,
  parley,
  passTime,
  phoneOf,
  publicKey,
  receivedAt,
  service,
  settled,
  textsAt,
  until,
  waitingFor,
  withPhone,
} = await startPushing()
const { app } = parley
const { db } = app

test('never while its person is active in Parley: it waits, and is dropped once read', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  const desk = await bob.listen()
  const isActive = () => [app, other.app].map(({ presence }) => presence.isActive(bob.id))
  await until(() => isActive().every(Boolean))
  await ada.say(direct, 'read at the desk')
  await until(async () => (await waitingFor(bob)).length === 1)
  await bob.put(`/api/channels/${direct}/read`, { seq: 1 })
  expect(await settled(bob.phone, passTime)).toEqual([])
  expect(await outcomesOf(bob)).toEqual(['read'])

  await ada.say(direct, 'after leaving the desk')
  await until(async () => (await waitingFor(bob)).length === 1)
  await passTime()
  await until(async () => ((await waitingFor(bob))[0]?.seconds ?? 0) > 20)
  expect(receivedAt(bob.phone)).toEqual([])
  // As if nobody had sat there for ten minutes.
  desk.socket.emit('status:update', 'idle')
  await until(() => !isActive().some(Boolean))
  expect(await settled(bob.phone, passTime)).toEqual(['after leaving the desk'])

  // Somebody who stays has seen it.
  const stays = await bob.listen()
  await until(() => isActive().every(Boolean))
  await ada.say(direct, 'long at the desk')
  await until(async () => (await waitingFor(bob)).length === 1)
  await db
    .updateTable('pushes')
    .set({ createdAt: sql<string>`clock_timestamp() - interval '31 minutes'` })
    .where('finishedAt', 'is', null)
    .execute()
  await settled(bob.phone, passTime)
  expect((await outcomesOf(bob))[0]).toBe('active')
  stays.socket.close()
})

test('nor while somebody who is invisible is active, which nobody else learns', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  await bob.put('/api/users/me/availability', { availability: 'invisible' })
  await bob.listen()
  await ada.say(direct, 'unseen at the desk')
  await until(async () => (await waitingFor(bob)).length === 1)
  await passTime()
  await until(async () => ((await waitingFor(bob))[0]?.seconds ?? 0) > 20)
  await db
    .updateTable('sessions')
    .set({
      lastUsedAt: sql<string>`now() - interval '20 minutes'`,
      lastActiveAt: sql<string>`now() - interval '20 minutes'`,
    })
    .where('userId', '=', bob.id)
    .execute()
  expect(await settled(bob.phone, passTime)).toEqual(['unseen at the desk'])
})

test('what a push service does not take is sent later, when it asks for it; what it refuses is not', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  service.answer(bob.phone, { status: 429, headers: { 'retry-after': '1800' }, body: 'too many' }, 1)
  await ada.say(direct, 'first')
  await until(async () => (await waitingFor(bob))[0]?.attempts === 1)
  await ada.say(direct, 'second')
  await until(async () => (await waitingFor(bob)).length === 2)
  for (const { seconds } of await waitingFor(bob)) expect(seconds).toBeGreaterThan(1700)
  const [failed] = await waitingFor(bob)
  expect(failed).toMatchObject({ attempts: 1, status: 429, detail: 'too many', failures: 1 })
  expect((await devicesOf(bob))[0]?.failingSince).not.toBe(null)
  expect(await settled(bob.phone, passTime)).toEqual(['first', 'second'])
  expect((await devicesOf(bob))[0]?.failingSince).toBe(null)
  expect((await devicesOf(bob))[0]?.deliveries.map(({ attempts }) => attempts)).toEqual([1, 2])

  // Waits longer each time.
  service.answer(bob.phone, { status: 503 })
  await ada.say(direct, 'third')
  for (const [failures, least] of [
    [1, 5],
    [2, 15],
    [3, 35],
  ] as const) {
    await until(async () => (await waitingFor(bob))[0]?.failures === failures)
    expect((await waitingFor(bob))[0]?.seconds).toBeGreaterThan(least)
    await passTime()
  }
  service.answer(bob.phone, { status: 413, body: 'too\nlarge' })
  await settled(bob.phone, passTime)
  expect((await devicesOf(bob))[0]?.deliveries[0]).toMatchObject({
    outcome: 'refused',
    status: 413,
    detail: 'too large',
  })
})

test('a subscription ends when the push service says so, and after failing for two weeks', async () => {
  const [bob, dead] = [await withPhone(), await withPhone()]
  const [direct, other] = [await directWith(bob), await directWith(dead)]
  service.unsubscribe(bob.phone)
  await ada.say(direct, 'nobody there')
  await until(async () => (await devicesOf(bob)).length === 0)
  service.answer(dead.phone, { status: 500 })
  await db
    .updateTable('push_subscriptions')
    .set({
      failingSince: sql<string>`clock_timestamp() - interval '15 days'`,
      failures: 300,
      retryAt: sql<string>`clock_timestamp()`,
    })
    .where('userId', '=', dead.id)
    .execute()
  await ada.say(other, 'nobody there either')
  await until(async () => (await devicesOf(dead)).length === 0)
})

test('a message whose server stopped before telling anybody is told by another one, once', async () => {
  const settings = { ...PUSH_SERVICE_SETTINGS, DATABASE_URL: '' }
  const lone = await startParley(settings, undefined, { pushPollMs: 2 ** 31 - 1 })
  const { olga, bob } = await lone.people('olga', 'bob')
  const phone = service.subscribe(lone.app.push.publicKey)
  const { publicKey } = lone.app.push
  expect((await bob.put('/api/push/subscription', { ...phone, publicKey })).status).toBe(204)
  const { body: direct } = await olga.post('/api/direct-messages', { userIds: [bob.id] })
  await olga.say(direct.id, 'committed')
  expect(receivedAt(phone.endpoint)).toEqual([])
  // Claimed by a server that stopped before it could send.
  const nodes = await Promise.all([1, 2].map(() => serve(lone.databaseUrl, settings, undefined, PUSH_BOUNDS)))
  await until(() => textsAt(phone.endpoint).length > 0)
  await lone.app.db
    .updateTable('pushes')
    .set({ dueAt: sql<string>`clock_timestamp()` })
    .where('finishedAt', 'is', null)
    .execute()
  for (let n = 0; n < 8; n++) await olga.say(direct.id, `message ${n}`)
  await until(() => textsAt(phone.endpoint).length === 9)
  expect(new Set(textsAt(phone.endpoint)).size).toBe(9)
  expect(nodes).toHaveLength(2)
})

test('access, the session and the browser’s person are checked before each notification', async () => {
  const [bob, eve] = [await withPhone(), await withPhone()]
  const channel = await channelWith(bob)
  const direct = await directWith(bob)
  const shared = service.subscribe(publicKey)
  await bob.put('/api/push/subscription', { ...shared, publicKey })
  service.answer(shared.endpoint, { status: 503 })
  await ada.say(direct, 'first')
  await until(async () => (await waitingFor(bob))[0]?.failures === 1)
  await ada.say(channel.id, '@channel after leaving')
  const { id: deleted } = await ada.say(direct, 'deleted meanwhile')
  await ada.say(direct, 'after signing out')
  await until(async () => (await waitingFor(bob)).length === 4)
  const attempts = service.attempts.length
  service.answer(shared.endpoint, { status: 201, delayMs: 700 })
  await passTime()
  await until(() => service.attempts.length > attempts)
  await ada.post(`/api/channels/${channel.id}/remove-member`, { userId: bob.id })
  await ada.delete(`/api/messages/${deleted}`)
  await bob.delete('/api/sessions')
  await eve.put('/api/push/subscription', { ...shared, publicKey })
  await ada.say(await directWith(eve), 'for Eve')
  await until(() => textsAt(shared.endpoint).includes('for Eve'))
  expect(textsAt(shared.endpoint)).toEqual(['first', 'for Eve'])
})

test('a browser that subscribed again keeps what waits, and is not removed for an answer about before', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  service.answer(bob.phone, { status: 410, delayMs: 700 })
  await ada.say(direct, 'first')
  await until(() => service.attempts.includes(bob.phone))
  const phone = await phoneOf(bob)
  expect(await settled(phone)).toEqual(['first'])

  service.answer(phone, { status: 429, headers: { 'retry-after': '86400' } })
  await ada.say(direct, 'second')
  await until(async () => (await waitingFor(bob))[0]?.failures === 1)
  await ada.say(direct, 'third')
  await until(async () => (await waitingFor(bob)).length === 2)
  service.answer(phone, { status: 201 })
  // It can be reached after all.
  await bob.post('/api/push/test')
  expect((await settled(phone)).slice(-2)).toEqual(['second', 'third'])
})

longTest(
  'of many notifications the newest are kept, and those that waited while somebody was active come first',
  async () => {
    const bob = await withPhone()
    const direct = await directWith(bob)
    const desk = await bob.listen()
    await until(() => [app, other.app].every(({ presence }) => presence.isActive(bob.id)))
    await Promise.all(Array.from({ length: 103 }, (_, n) => ada.say(direct, `message ${n}`)))
    await until(async () => (await db.selectFrom('push_candidates').selectAll().execute()).length === 0)
    expect(await waitingFor(bob)).toHaveLength(100)
    desk.socket.emit('status:update', 'idle')
    await until(() => ![app, other.app].some(({ presence }) => presence.isActive(bob.id)))
    await ada.say(direct, 'the last one')
    await until(() => textsAt(bob.phone).includes('the last one'))
    expect(textsAt(bob.phone)).toHaveLength(100)
    expect(textsAt(bob.phone).at(-1)).toBe('the last one')
  },
)

test('two failures long apart are no long failure', async () => {
  const bob = await withPhone()
  const direct = await directWith(bob)
  service.answer(bob.phone, { status: 503 })
  await db
    .updateTable('push_subscriptions')
    .set({
      failures: 1,
      failingSince: sql<string>`now() - interval '15 days'`,
      retryAt: sql<string>`now() - interval '15 days'`,
    })
    .where('userId', '=', bob.id)
    .execute()
  await ada.say(direct, 'hello')
  await until(async () => (await waitingFor(bob))[0]?.failures === 2)
  service.answer(bob.phone, { status: 201 })
  expect(await settled(bob.phone, passTime)).toEqual(['hello'])
})

test('nothing is sent right after a start, until pages had the time to connect again', async () => {
  const started = await startParley(PUSH_SERVICE_SETTINGS, undefined, { pushPollMs: 20, pushStartMs: 2 ** 31 - 1 })
  const { olga, bob } = await started.people('olga', 'bob')
  const phone = service.subscribe(started.app.push.publicKey)
  await bob.put('/api/push/subscription', { ...phone, publicKey: started.app.push.publicKey })
  const { body: direct } = await olga.post('/api/direct-messages', { userIds: [bob.id] })
  await olga.say(direct.id, 'too early')
  const queued = () => started.app.db.selectFrom('pushes').select('finishedAt').execute()
  await until(async () => (await queued()).length === 1)
  expect(await queued()).toEqual([{ finishedAt: null }])
})
