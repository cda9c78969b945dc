import { expect, test } from 'vitest'
import { bounds } from '../../limits/bounds.ts'
import { longTest } from '../../test/support/long.ts'
import { serve, startParley } from '../../test/support/parley.ts'

const { app, people, databaseUrl } = await startParley({ RATE_LIMIT: 'on' }, undefined, {
  rates: { ...bounds.rates, writes: { perSecond: 1000, burst: 1000 } },
})
const { ada, bob, eve } = await people('ada', 'bob', 'eve')

const create = (name: string, as = eve) => as.post('/api/channels', { name })

test('a member creates 60 channels an hour, on all nodes together; others are not affected, and the owner has no limit', async () => {
  for (let i = 0; i < 59; i++) expect((await create(`burst-${i}`)).status).toBe(201)
  // A refused channel doesn't count.
  expect((await create('general')).code).toBe('name_taken')
  const last = await Promise.all(['burst-a', 'burst-b', 'burst-c'].map((name) => create(name)))
  expect(last.map(({ status }) => status).sort()).toEqual([201, 429, 429])
  const refused = await create('burst-d')
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(refused.body.error).toMatchObject({ reason: 'tooManyNewChannels' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)

  const other = await serve(databaseUrl, { RATE_LIMIT: 'on' })
  const elsewhere = await other.app.inject({
    method: 'POST',
    url: '/api/channels',
    payload: { name: 'elsewhere' },
    headers: { authorization: `Bearer ${eve.token}` },
  })
  expect(elsewhere.statusCode).toBe(429)
  expect((await create('kitchen', bob)).status).toBe(201)
  for (let i = 0; i < 61; i++) expect((await create(`first-${i}`, ada)).status).toBe(201)
  const { count } = await app.db
    .selectFrom('channels')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('name', 'like', 'burst-%')
    .executeTakeFirstOrThrow()
  expect(count).toBe(60)
})

longTest('direct messages have a separate rate, which opening existing ones does not consume', async () => {
  const ids = Array.from({ length: 201 }, (_, i) => `contact-${i}`)
  await app.db
    .insertInto('users')
    .values(
      ids.map((id) => ({
        id,
        username: id,
        displayUsername: id,
        name: id,
        email: `${id}@example.com`,
        role: 'member',
      })),
    )
    .execute()
  const open = (id: string) => eve.post('/api/direct-messages', { userIds: [id] })
  const statuses = []
  for (const id of ids) statuses.push((await open(id)).status)
  expect(statuses).toEqual([...Array(200).fill(201), 429])
  const refused = await open('contact-200')
  expect(refused.body.error).toMatchObject({ code: 'rate_limited', reason: 'tooManyNewConversations' })
  expect((await open('contact-0')).status).toBe(200)
})
