import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Person, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { lockHolds } from './due-channels.ts'

const parley = await startParley()
const { olga, ada, bob } = await parley.people('olga', 'ada', 'bob')
const { db, retention } = parley.app

const channelWith = async (name: string) =>
  (await ada.post('/api/channels', { name, members: [bob.id, olga.id] })).body.id as string
/** Backdates everything written, answered and uploaded in the channel. */
async function age(channelId: string) {
  await sql`update messages set "createdAt" = now() - interval '60 days',
    "lastReplyAt" = case when "lastReplyAt" is not null then now() - interval '60 days' end
    where "channelId" = ${channelId}`.execute(db)
  await sql`update files set "createdAt" = now() - interval '60 days' where "channelId" = ${channelId}`.execute(db)
}
const reply = (by: Person, parentMessageId: string, content: string) =>
  by.post('/api/threads/messages', { parentMessageId, content })
const rows = async (channelId: string) =>
  (
    await db.selectFrom('messages').select('content').where('channelId', '=', channelId).orderBy('createdAt').execute()
  ).map(({ content }) => content)
const expired = (channelId: string) =>
  expect
    .poll(
      () =>
        db
          .selectFrom('channels')
          .select(['expiredBefore', 'removing'])
          .where('id', '=', channelId)
          .executeTakeFirstOrThrow(),
      { timeout: STATE_TIMEOUT_MS },
    )
    .toEqual({ expiredBefore: expect.any(String), removing: null })
const expire = async (channelId: string) => {
  expect((await olga.put('/api/retention', { days: 30, channelId })).status).toBe(200)
  await expired(channelId)
}
const lift = async () => {
  for (const { id } of (await olga.get('/api/retention')).body.holds) await olga.delete(`/api/holds/${id}`)
}

test('a hold on a person keeps only their messages, the threads they wrote in, and their uploads', async () => {
  const channelId = await channelWith('kept-for-bob')
  await ada.say(channelId, 'of ada alone')
  await bob.say(channelId, 'of bob alone')
  const begun = await bob.say(channelId, 'begun by bob')
  await reply(ada, begun.id, 'answered by ada')
  const asked = await ada.say(channelId, 'begun by ada')
  await reply(bob, asked.id, 'answered by bob')
  const other = await ada.say(channelId, 'ada asks')
  await reply(ada, other.id, 'ada answers')
  const files = { ada: (await ada.upload(channelId, 'a.txt')).body, bob: (await bob.upload(channelId, 'b.txt')).body }
  await age(channelId)
  expect((await olga.post('/api/holds', { userId: bob.id })).status).toBe(201)
  await expire(channelId)
  expect((await rows(channelId)).toSorted()).toEqual(
    ['of bob alone', 'begun by bob', 'answered by ada', 'begun by ada', 'answered by bob'].toSorted(),
  )
  const statusOf = async (fileId: string) =>
    (await parley.app.inject({ url: `/api/files/${fileId}/x`, headers: { cookie: ada.cookie } })).statusCode
  expect([await statusOf(files.bob.id), await statusOf(files.ada.id)]).toEqual([200, 404])

  await lift()
  retention.wake()
  await expect.poll(() => rows(channelId), { timeout: STATE_TIMEOUT_MS }).toEqual([])
})

test('a held person can still delete messages, and the hold outlives their deactivation', async () => {
  const channelId = await channelWith('held-and-gone')
  await bob.say(channelId, 'bob stays')
  const taken = await bob.say(channelId, 'bob takes back')
  expect((await olga.post('/api/holds', { userId: bob.id })).status).toBe(201)
  expect((await bob.delete(`/api/messages/${taken.id}`)).status).toBeLessThan(300)
  expect((await olga.put(`/api/users/${bob.id}/deactivation`, {})).status).toBeLessThan(300)
  await age(channelId)
  await expire(channelId)
  expect((await rows(channelId)).toSorted()).toEqual(['', 'bob stays'])
  const { body } = await olga.get('/api/retention')
  expect(body.holds).toMatchObject([{ person: { id: bob.id }, channel: null }])
  await olga.delete(`/api/users/${bob.id}/deactivation`)
  await lift()
})

test('a hold placed while a removal waits for it takes precedence', async () => {
  const channelId = await channelWith('held-in-time')
  await ada.say(channelId, 'ada in time')
  await age(channelId)
  await db.transaction().execute(async (tx) => {
    await lockHolds(tx)
    expect((await olga.put('/api/retention', { days: 30, channelId })).status).toBe(200)
    const waits = async () => {
      const { rows: locks } = await sql`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(db)
      return locks.length
    }
    await expect.poll(waits, { timeout: STATE_TIMEOUT_MS }).toBeGreaterThan(0)
    await tx.insertInto('holds').values({ id: sql`gen_random_uuid()`, userId: ada.id, createdBy: olga.id }).execute()
  })
  await expired(channelId)
  expect(await rows(channelId)).toEqual(['ada in time'])
  await lift()
})
