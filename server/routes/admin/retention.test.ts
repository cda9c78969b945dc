import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { purgeOnce } from '../../channels/purge-channels.ts'
import { lockChannel } from '../../channels/revision.ts'
import { storageKeyOf } from '../../files/storage.ts'
import { sweepOnce } from '../../files/sweep-files.ts'
import { claimDueChannel } from '../../retention/due-channels.ts'
import { PICTURE } from '../../test/support/fixture.ts'
import { type Person, serve, startParley } from '../../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../../test/support/timeouts.ts'

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')
const { db, storage } = parley.app

const channelOf = async (owner: Person, name: string, members: Person[] = [], isPrivate = false) =>
  (await owner.post('/api/channels', { name, isPrivate, members: members.map(({ id }) => id) })).body.id as string
/** Backdates a message. */
const age = (messageId: string, days = 60) =>
  sql`update messages set "createdAt" = now() - make_interval(days => ${days}),
    "lastReplyAt" = case when "lastReplyAt" is not null then now() - make_interval(days => ${days}) end
    where id = ${messageId}`.execute(db)
const reply = async (by: Person, parentMessageId: string, content: string) =>
  (await by.post('/api/threads/messages', { parentMessageId, content })).body as Message
const contents = async (by: Person, channelId: string) =>
  (await by.get(`/api/messages/channel/${channelId}`)).body.map(({ content }: Message) => content)
const keep = (days: number | null, channelId?: string) =>
  olga.put('/api/retention', { days, ...(channelId && { channelId }) })
const expiredBefore = async (id: string) =>
  await db.selectFrom('channels').select(['expiredBefore', 'removing']).where('id', '=', id).executeTakeFirstOrThrow()
/** Runs a channel's rule, and waits until it has processed all messages. */
async function expire(channelId: string, days = 30, at = parley.app) {
  await sql`update channels set "expiredBefore" = null where id = ${channelId}`.execute(db)
  expect((await keep(days, channelId)).status).toBe(200)
  at.retention.wake()
  await expect
    .poll(() => expiredBefore(channelId), { timeout: STATE_TIMEOUT_MS })
    .toEqual({ expiredBefore: expect.any(String), removing: null })
}

test('old messages are removed from pages, threads, search, files and browsers; newer ones stay', async () => {
  const channelId = await channelOf(ada, 'old-and-young', [bob, olga])
  const old = await ada.say(channelId, 'quartz of long ago')
  const answer = await reply(bob, old.id, 'quartz answer')
  await bob.post(`/api/messages/${old.id}/reactions`, { emoji: '👍' })
  const { body: file } = await ada.upload(channelId, 'quartz.png', new Uint8Array(PICTURE), true)
  const withFile = (await ada.post('/api/messages', { channelId, content: 'quartz picture', fileIds: [file.id] })).body
  const { body: loose } = await ada.upload(channelId, 'quartz-loose.txt')
  await ada.say(channelId, 'young')
  for (const { id } of [old, answer, withFile]) await age(id)
  await sql`update files set "createdAt" = now() - interval '60 days' where id = ${loose.id}`.execute(db)
  const before = (await bob.get(`/api/channels/${channelId}`)).body
  const listener = await bob.listen()

  await expire(channelId)
  expect(await contents(bob, channelId)).toEqual(['young'])
  expect((await bob.get(`/api/threads/${old.id}`)).status).toBe(404)
  expect((await bob.get('/api/search?q=quartz')).body).toEqual([])
  for (const { id } of [file, loose]) expect((await bob.get(`/api/files/${id}/x`)).status).toBe(404)
  await sweepOnce(db, storage)
  expect(await storage.read(storageKeyOf(file.id), PICTURE.length)).toBeUndefined()
  for (const table of ['reactions', 'mentions', 'message_search'] as const)
    expect(
      await db.selectFrom(table).select('messageId').where('messageId', 'in', [old.id, answer.id]).execute(),
    ).toEqual([])

  expect((await bob.get(`/api/channels/${channelId}`)).body.unread).toBe(1)

  // Clients with an older revision reload.
  const told = await listener.waitFor('channel:rev', (it) => it.channelId === channelId)
  expect(told.rev).toBe(before.rev + 1)
  const { body: changes } = await bob.get(`/api/channels/${channelId}/changes?after=${before.rev}`)
  expect(changes).toEqual({ rev: told.rev, reload: true })
  const { body: none } = await bob.get(`/api/channels/${channelId}/changes?after=${told.rev}`)
  expect(none).toEqual({ rev: told.rev, messages: [] })
  const [line] = (await olga.get('/api/audit?kind=messages_expired')).body.entries
  expect(line).toMatchObject({ actor: null, channel: { name: 'old-and-young' }, details: { messages: 3, files: 2 } })

  // Nothing more to remove: no revision, no audit line.
  await expire(channelId)
  expect((await bob.get(`/api/channels/${channelId}`)).body.rev).toBe(told.rev)
})

test('a thread stays whole until its last reply is old', async () => {
  const channelId = await channelOf(ada, 'threads', [bob, olga])
  const parent = await ada.say(channelId, 'an old question')
  const first = await reply(bob, parent.id, 'an old answer')
  await age(first.id)
  await reply(bob, parent.id, 'a young answer')
  await sql`update messages set "createdAt" = now() - interval '60 days' where id = ${parent.id}`.execute(db)
  await expire(channelId)
  expect(await contents(ada, channelId)).toEqual(['an old question'])
  expect((await ada.get(`/api/threads/${parent.id}`)).body.length ?? 2).toBeGreaterThan(0)
  await age(parent.id)
  await expire(channelId)
  expect(await contents(ada, channelId)).toEqual([])
})

test('a hold on a channel or person overrides rules until it is lifted', async () => {
  const held = await channelOf(ada, 'held', [bob, olga])
  const mixed = await channelOf(ada, 'mixed', [bob, olga])
  for (const id of [held, mixed])
    for (const by of [ada, bob]) await age((await by.say(id, `${by.username} long ago`)).id)
  const asked = await ada.say(mixed, 'bob answers this')
  await age((await reply(bob, asked.id, 'I do')).id)
  await age(asked.id)
  const { body: one } = await olga.post('/api/holds', { channelId: held, reason: 'A dispute' })
  const { body: two } = await olga.post('/api/holds', { userId: bob.id })
  expect(two.holds).toMatchObject([{ channel: { name: 'held' }, reason: 'A dispute' }, { person: { id: bob.id } }])
  expect(await olga.post('/api/holds', { userId: bob.id })).toMatchObject({ status: 409, code: 'already_held' })
  await keep(30, held)
  await expire(mixed)
  expect(await contents(ada, mixed)).toEqual(['bob long ago', 'bob answers this'])
  expect(await contents(ada, held)).toHaveLength(2)
  for (const { id } of [one.holds[0], two.holds[1]]) await olga.delete(`/api/holds/${id}`)
  parley.app.retention.wake()
  for (const id of [held, mixed]) await expect.poll(() => contents(ada, id), { timeout: STATE_TIMEOUT_MS }).toEqual([])
})

test('a preview excludes messages under a hold', async () => {
  const channelId = await channelOf(ada, 'previewed', [bob, olga])
  const asked = await ada.say(channelId, 'bob answers this')
  await age((await reply(bob, asked.id, 'I do')).id)
  const { body: file } = await bob.upload(channelId, 'by-bob.txt', 'bob', true)
  const withFile = (await bob.post('/api/messages', { channelId, content: 'mine', fileIds: [file.id] })).body
  const other = await ada.say(channelId, 'of ada')
  for (const { id } of [asked, withFile, other]) await age(id)
  await ada.say(channelId, 'young')
  await sql`update files set "createdAt" = now() - interval '60 days' where id = ${file.id}`.execute(db)
  const preview = async () => (await olga.post('/api/retention/preview', { days: 30, channelId })).body
  expect(await preview()).toMatchObject({ messages: 3, files: 1, bytes: 3, channels: 1 })
  const { body: person } = await olga.post('/api/holds', { userId: bob.id })
  expect(await preview()).toMatchObject({ messages: 1, files: 0, bytes: 0, channels: 1 })
  const { body: both } = await olga.post('/api/holds', { channelId })
  expect(await preview()).toMatchObject({ messages: 0, files: 0, bytes: 0, channels: 0 })
  for (const { id } of both.holds) await olga.delete(`/api/holds/${id}`)
  expect(person.holds).toHaveLength(1)
})

test('messages and files of a held person stay when the channel is deleted', async () => {
  const rows = async (id: string) =>
    (await db.selectFrom('messages').select('id').where('channelId', '=', id).execute()).length
  const written = await channelOf(ada, 'deleted-written', [bob, olga])
  const uploaded = await channelOf(ada, 'deleted-uploaded', [bob, olga])
  const other = await channelOf(ada, 'deleted-other', [bob, olga])
  for (const id of [written, uploaded, other]) await ada.say(id, 'about it')
  await bob.say(written, 'I did it')
  await bob.upload(uploaded, 'evidence.txt')
  const { body } = await olga.post('/api/holds', { userId: bob.id })
  for (const id of [written, uploaded, other]) {
    expect((await ada.delete(`/api/channels/${id}`)).status).toBe(204)
    await db.updateTable('channels').set({ deletedAt: '2020-01-01' }).where('id', '=', id).execute()
  }
  while (await purgeOnce(db));
  expect([await rows(written), await rows(uploaded), await rows(other)]).toEqual([2, 1, 0])
  await olga.delete(`/api/holds/${body.holds[0].id}`)
  while (await purgeOnce(db));
  expect([await rows(written), await rows(uploaded)]).toEqual([0, 0])
})

test('the workspace’s rule applies to channels without their own; 0 keeps everything', async () => {
  const follows = await channelOf(ada, 'follows', [olga])
  const keeps = await channelOf(ada, 'keeps', [olga])
  for (const id of [follows, keeps]) await age((await ada.say(id, 'from long ago')).id)
  expect((await olga.post('/api/retention/preview', { days: 30, channelId: follows })).body).toMatchObject({
    messages: 1,
  })
  expect((await olga.post('/api/retention/preview', { days: 90, channelId: follows })).body).toMatchObject({
    messages: 0,
  })
  await keep(0, keeps)
  const { body: preview } = await olga.post('/api/retention/preview', { days: 30 })
  expect(preview.messages).toBeGreaterThanOrEqual(1)
  expect((await keep(30)).body).toMatchObject({
    days: 30,
    channels: expect.arrayContaining([{ id: keeps, name: 'keeps', days: 0 }]),
  })
  parley.app.retention.wake()
  await expect.poll(() => contents(ada, follows), { timeout: STATE_TIMEOUT_MS }).toEqual([])
  expect(await contents(ada, keeps)).toEqual(['from long ago'])
  expect((await keep(null)).body.days).toBeNull()
})

test('only the workspace’s owner sets rules, and only for channels that they can read', async () => {
  const channelId = await channelOf(ada, 'hidden-plans', [bob], true)
  for (const person of [ada, bob, eve]) {
    const refused = [
      await person.get('/api/retention'),
      await person.put('/api/retention', { days: 1 }),
      await person.post('/api/retention/preview', { days: 1 }),
      await person.post('/api/holds', { userId: bob.id }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  }
  expect((await keep(1, channelId)).status).toBe(404)
  expect((await olga.post('/api/retention/preview', { days: 1, channelId })).status).toBe(404)
  expect((await olga.post('/api/holds', { channelId })).status).toBe(404)
  for (const body of [{ days: 0 }, { days: -1 }, { days: 1.5 }, {}])
    expect((await olga.put('/api/retention', body)).status).toBe(400)
})

test('a removal whose node died is completed by another one, once', async () => {
  const channelId = await channelOf(ada, 'interrupted', [olga])
  for (let n = 0; n < 3; n++) await age((await ada.say(channelId, `old ${n}`)).id)
  // As left behind by a node that removed one message and was killed before recording it.
  const [first] = (await ada.get(`/api/messages/channel/${channelId}`)).body
  await db.deleteFrom('messages').where('id', '=', first.id).execute()
  await sql`update channels set removing = '{"messages": 1, "files": 0, "bytes": 0}', "retentionDays" = 30,
    "removingSince" = now() - interval '2 minutes' where id = ${channelId}`.execute(db)
  const before = (await ada.get(`/api/channels/${channelId}`)).body.rev
  const other = await serve(parley.databaseUrl)
  for (const { retention } of [parley.app, other.app]) retention.wake()
  await expect.poll(async () => (await expiredBefore(channelId)).removing, { timeout: STATE_TIMEOUT_MS }).toBeNull()
  expect(await contents(ada, channelId)).toEqual([])
  expect((await ada.get(`/api/channels/${channelId}`)).body.rev).toBe(before + 1)
  const { entries } = (await olga.get('/api/audit?kind=messages_expired&q=interrupted')).body
  expect(entries).toMatchObject([{ details: { messages: 3 } }])
})

test('more than one batch is removed, with replies and reactions, while people write', async () => {
  const channelId = await channelOf(ada, 'plenty', [bob, olga])
  const COUNT = 450
  await sql`insert into messages (id, "channelId", "userId", content, seq, rev, "createdAt")
    select gen_random_uuid(), ${channelId}, ${ada.id}, 'old ' || n, n, n, now() - interval '90 days'
    from generate_series(1, ${COUNT}) n`.execute(db)
  await sql`update channels set seq = ${COUNT}, rev = ${COUNT} + 1 where id = ${channelId}`.execute(db)
  await sql`insert into messages (id, "channelId", "threadId", "userId", content, seq, rev, "createdAt")
    select gen_random_uuid(), m."channelId", m.id, ${bob.id}, 'old reply', n, 1, now() - interval '90 days'
    from messages m, generate_series(1, 1200) n where m."channelId" = ${channelId} and m.seq = 7`.execute(db)
  await sql`update messages set "lastReplyAt" = "createdAt", "replyCount" = 1200, "threadSeq" = 1200
    where "channelId" = ${channelId} and "threadId" is null and seq = 7`.execute(db)
  const expiring = expire(channelId)
  for (let n = 0; n < 10; n++) await bob.say(channelId, `young ${n}`)
  await expiring
  expect(await contents(bob, channelId)).toEqual(Array.from({ length: 10 }, (_, n) => `young ${n}`))
  const left = await db.selectFrom('messages').select('id').where('channelId', '=', channelId).execute()
  expect(left).toHaveLength(10)
  const [line] = (await olga.get('/api/audit?kind=messages_expired&q=plenty')).body.entries
  expect(line.details.messages).toBe(COUNT + 1200)
})

test('a channel that is being written to is retried soon', async () => {
  const channelId = await channelOf(ada, 'written', [olga])
  await age((await ada.say(channelId, 'old')).id)
  await keep(30, channelId)
  await expect.poll(async () => (await expiredBefore(channelId)).expiredBefore).not.toBeNull()
  await age((await ada.say(channelId, 'also old')).id)
  await sql`update channels set "expiredBefore" = null where id = ${channelId}`.execute(db)
  await db.transaction().execute(async (tx) => {
    await lockChannel(tx, channelId)
    parley.app.retention.wake()
    await sleep(300)
    expect(await claimDueChannel(db)).toBeUndefined()
  })
  await expect.poll(() => contents(ada, channelId), { timeout: STATE_TIMEOUT_MS }).toEqual([])
})

test('a channel whose removal fails repeatedly does not delay others', async () => {
  const [broken, next] = [await channelOf(ada, 'broken', [olga]), await channelOf(ada, 'next', [olga])]
  await keep(30, broken)
  await keep(30, next)
  // As left behind by its node.
  const claimed = async (id: string, ago: string | null) =>
    sql`update channels set "expiredBefore" = null, "removingSince" = now() - ${ago}::interval where id = ${id}`.execute(
      db,
    )
  await parley.app.retention.stop()
  await claimed(broken, '2 minutes')
  await claimed(next, '3 minutes')
  expect((await claimDueChannel(db))?.id).toBe(next)
  await claimed(broken, '3 minutes')
  await claimed(next, '2 minutes')
  expect((await claimDueChannel(db))?.id).toBe(broken)
})
