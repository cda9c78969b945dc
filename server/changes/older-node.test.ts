import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'

// During a rolling upgrade, nodes of the previous version use the new database. These are that version's queries (migrations up
// to 0009) to tables that have changed since.

const parley = await startParley()
const { ada, bob, cyd } = await parley.people('ada', 'bob', 'cyd')
const { db } = parley.app

/** The query by which the earlier version finds changed channels, to move and remove sockets. */
const changedThemselves = async () => {
  const { rows } = await sql<{ id: string }>`select id, "selfRev" from channels
    where "selfChangedAt" > clock_timestamp() - make_interval(secs => 10)`.execute(db)
  return rows.map(({ id }) => id)
}
const changed = async () => {
  const { rows } = await sql<{ id: string }>`select id, rev, seq from channels
    where "changedAt" > clock_timestamp() - make_interval(secs => 10) and "deletedAt" is null`.execute(db)
  return rows.map(({ id }) => id)
}
const settle = (...ids: string[]) =>
  sql`update channels set "changedAt" = now() - interval '1 h', "selfChangedAt" = now() - interval '1 h'
    where id = any(${ids}::uuid[])`.execute(db)

test('an older node notices joins, removals, deletions and messages by a node of this version', async () => {
  const make = async (name: string) =>
    (await ada.post('/api/channels', { name, members: [bob.id, cyd.id] })).body.id as string
  const [left, closed, deleted, active] = [
    await make('left'),
    await make('closed'),
    await make('deleted'),
    await make('spoken'),
  ]
  await settle(left, closed, deleted, active)
  expect(await changedThemselves()).not.toContain(left)

  await ada.post(`/api/channels/${left}/remove-member`, { userId: bob.id })
  await ada.patch(`/api/channels/${closed}`, { isPrivate: true })
  await ada.delete(`/api/channels/${deleted}`)
  await ada.say(active, 'hello')
  expect(await changedThemselves()).toEqual(expect.arrayContaining([left, closed, deleted]))
  expect(await changedThemselves()).not.toContain(active)
  expect(await changed()).toEqual(expect.arrayContaining([left, closed, active]))

  await settle(left)
  await bob.post(`/api/channels/${left}/join`)
  expect(await changedThemselves()).toContain(left)
})

test('a node of this version notices changes by an older node', async () => {
  const { id } = (await ada.post('/api/channels', { name: 'old hands', isPrivate: true, members: [bob.id, cyd.id] }))
    .body
  const [bobs, cyds] = [await bob.listen(), await cyd.listen()]
  await db.transaction().execute(async (tx) => {
    await sql`delete from memberships where "channelId" = ${id} and "userId" = ${bob.id}`.execute(tx)
    await sql`update channels set rev = rev + 1, "changedAt" = clock_timestamp(), "memberCount" = "memberCount" - 1,
      "selfRev" = rev + 1, "selfChangedAt" = clock_timestamp() where id = ${id}`.execute(tx)
  })
  await bobs.waitFor('channel:left', ({ channelId }) => channelId === id)
  await cyds.waitFor('channel:rev', ({ channelId }) => channelId === id)

  const made = '01999999-0000-7000-8000-000000000001'
  await db.transaction().execute(async (tx) => {
    await sql`insert into channels (id, name, kind, "ownerId", "memberCount", rev, "selfRev")
      values (${made}, 'made before', 'public', ${ada.id}, 2, 1, 1)`.execute(tx)
    await sql`insert into memberships ("channelId", "userId") values (${made}, ${ada.id}), (${made}, ${cyd.id})`.execute(
      tx,
    )
  })
  await cyds.waitFor('channel:member_joined', ({ channelId }) => channelId === made)
  expect(await changedThemselves()).toContain(made)
})

test('an older node finds ended sessions, prunes old ones and creates sessions', async () => {
  const dan = await parley.person('dan')
  const sessionId = JSON.parse(Buffer.from(dan.token.split('.')[1] as string, 'base64url').toString()).sid as string
  await dan.delete(`/api/sessions/${sessionId}`)
  const { rows } = await sql<{ sessionId: string }>`select "sessionId" from revocations
    where "revokedAt" > clock_timestamp() - make_interval(secs => 10)`.execute(db)
  expect(rows).toContainEqual({ sessionId })
  await sql`delete from revocations where "revokedAt" < clock_timestamp() - make_interval(secs => 7200)`.execute(db)
  await sql`insert into sessions (id, token, "userId", "expiresAt", "createdAt", "updatedAt")
    values (gen_random_uuid(), 'of before', ${dan.id}, now() + interval '1 d', now(), now())`.execute(db)
})
