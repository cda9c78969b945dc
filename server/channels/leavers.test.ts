import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { newId } from '../db/ids.ts'
import { deactivate as deactivatePerson } from '../people/deactivate.ts'
import { longTest } from '../test/support/long.ts'
import { type Person, serve, startParley } from '../test/support/parley.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const { db } = parley.app

let made = 0
const somebody = () => parley.person(`leaver-${made++}`)
const create = async (owner: Person, members: Person[] = [], isPrivate = false): Promise<Channel> =>
  (await owner.post('/api/channels', { name: `made-${made++}`, isPrivate, members: members.map(({ id }) => id) })).body
const deactivate = (by: Person, { id }: Person, choice: object) => by.put(`/api/users/${id}/deactivation`, choice)
const stateOf = ({ id }: Channel) =>
  db.selectFrom('channels').select(['ownerId', 'deletedAt']).where('id', '=', id).executeTakeFirstOrThrow()
const ownerOf = async (channel: Channel) => (await stateOf(channel)).ownerId
const isDeleted = async (channel: Channel) => (await stateOf(channel)).deletedAt !== null
const choices = async ({ id }: Person) =>
  (await db.selectFrom('leavers').select('id').where('userId', '=', id).execute()).length
const owned = (by: Person, { id }: Person) => by.get(`/api/users/${id}/owned-channels`)

test('only people who may deactivate a user see how many channels they own', async () => {
  const dan = await somebody()
  await create(dan)
  const shared = await create(dan, [bob])
  await bob.say(shared.id, 'Hello')
  expect((await owned(ada, dan)).body).toEqual({ owned: 2, leftover: 1 })
  for (const by of [bob, eve, dan]) expect((await owned(by, dan)).status).toBe(403)
})

test('the channels go to the chosen person, private ones only to a member', async () => {
  const dan = await somebody()
  const [open, joined, secret, known] = [
    await create(dan),
    await create(dan, [bob, eve]),
    await create(dan, [bob], true),
    await create(dan, [bob, eve], true),
  ]
  const socket = await eve.listen()
  const watcher = await bob.listen()
  expect((await deactivate(ada, dan, { heirId: eve.id })).status).toBe(204)
  await expect.poll(() => ownerOf(known), { timeout: STATE_TIMEOUT_MS }).toBe(eve.id)
  expect(await Promise.all([open, joined, secret].map(ownerOf))).toEqual([eve.id, eve.id, bob.id])
  const members = (await eve.get(`/api/channels/${open.id}/members`)).body.members
  expect(members.map(({ id }: Person) => id)).toContain(eve.id)
  expect((await eve.get(`/api/channels/${secret.id}`)).status).toBe(404)
  await socket.waitFor('channel:member_joined', ({ channelId, user }) => channelId === open.id && user.id === eve.id)
  const changed = await watcher.waitFor('channel:updated', ({ id, ownerId }) => id === joined.id && ownerId === eve.id)
  expect(changed.rev).toBeGreaterThan(joined.rev)
  const lines = await db
    .selectFrom('audit_log')
    .select(['actorId', 'personId'])
    .where('kind', '=', 'channel_transferred')
    .where('channelId', '=', open.id)
    .execute()
  expect(lines).toEqual([{ actorId: ada.id, personId: eve.id }])
})

test('only channels that nobody else has written in are deleted', async () => {
  const dan = await somebody()
  const [empty, own, written, filled, hidden, invited] = [
    await create(dan),
    await create(dan, [bob]),
    await create(dan, [bob]),
    await create(dan, [bob]),
    await create(dan, [], true),
    await create(dan, [bob], true),
  ]
  await dan.say(own.id, 'Buy this')
  await bob.say(written.id, 'What is this?')
  await bob.upload(filled.id, 'plan.txt')
  const socket = await bob.listen()
  await deactivate(ada, dan, { deletesChannels: true })
  await socket.waitFor('channel:deleted', ({ channelId }) => channelId === own.id)
  await expect.poll(() => isDeleted(hidden), { timeout: STATE_TIMEOUT_MS }).toBe(true)
  await expect.poll(() => ownerOf(invited), { timeout: STATE_TIMEOUT_MS }).toBe(bob.id)
  expect(await Promise.all([empty, own, written, filled, invited].map(isDeleted))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(await ownerOf(written)).toBe(bob.id)
})

test('nothing is chosen by default, and an earlier choice does not apply again', async () => {
  const dan = await somebody()
  const alone = await create(dan)
  await deactivate(ada, dan, {})
  expect(await stateOf(alone)).toEqual({ ownerId: dan.id, deletedAt: null })
  await deactivate(ada, dan, { deletesChannels: true })
  await expect.poll(() => isDeleted(alone), { timeout: STATE_TIMEOUT_MS }).toBe(true)
  await ada.delete(`/api/users/${dan.id}/deactivation`)
  const later = await db
    .insertInto('channels')
    .values({ id: newId(), name: 'later', kind: 'public', ownerId: dan.id, memberCount: 0, rev: 1, selfRev: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await deactivate(ada, dan, {})
  const row = db.selectFrom('channels').select('deletedAt').where('id', '=', later.id)
  expect(await row.executeTakeFirst()).toEqual({ deletedAt: null })
})

test('a choice applies once, to the channels as they are at that time', async () => {
  const dan = await somebody()
  const written = await create(dan, [bob])
  const { id: messageId } = await bob.say(written.id, 'What is this?')
  await bob.post(`/api/channels/${written.id}/leave`)
  await deactivate(ada, dan, { deletesChannels: true })
  await expect.poll(() => choices(dan), { timeout: STATE_TIMEOUT_MS }).toBe(0)
  // As retention does eventually.
  await db.deleteFrom('messages').where('id', '=', messageId).execute()
  await deactivate(ada, await somebody(), {})
  expect(await isDeleted(written)).toBe(false)
})

test('deactivating somebody again, as a directory does, keeps the choice; a new choice replaces it', async () => {
  const dan = await somebody()
  const stuck = { id: newId(), userId: dan.id, actorId: ada.id, heirId: eve.id, deletesChannels: false }
  await db.insertInto('leavers').values(stuck).execute()
  await db.transaction().execute(async (tx) => {
    await deactivatePerson(tx, dan.id)
    const row = tx.selectFrom('leavers').select('heirId').where('userId', '=', dan.id)
    expect(await row.execute()).toEqual([{ heirId: eve.id }])
    await tx.updateTable('users').set({ deactivatedAt: null }).where('id', '=', dan.id).execute()
    expect(await row.execute()).toEqual([])
  })
  const kim = await somebody()
  const channel = await create(kim, [bob])
  for (const heirId of [bob.id, eve.id]) expect((await deactivate(ada, kim, { heirId })).status).toBe(204)
  await expect.poll(() => choices(kim), { timeout: STATE_TIMEOUT_MS }).toBe(0)
  expect([bob.id, eve.id]).toContain(await ownerOf(channel))
})

test('the heir is an active person who can own channels, and not the leaver', async () => {
  const [dan, gone] = [await somebody(), await somebody()]
  await deactivate(ada, gone, {})
  for (const heirId of [dan.id, gone.id, 'assistant-bot', 'nobody'])
    expect(await deactivate(ada, dan, { heirId }), heirId).toMatchObject({ status: 400, code: 'invalid' })
  expect((await bob.get(`/api/users/${dan.id}`)).body.deactivatedAt).toBeNull()
  expect((await deactivate(eve, dan, { heirId: eve.id })).status).toBe(403)
})

test('a node that starts finishes what another one left undone', async () => {
  const dan = await somebody()
  const [open, own] = [await create(dan, [bob, eve]), await create(dan)]
  await bob.say(open.id, 'Hello')
  const plan = { id: newId(), userId: dan.id, actorId: ada.id, heirId: eve.id, deletesChannels: true }
  await db.insertInto('leavers').values(plan).execute()
  await db.updateTable('users').set({ deactivatedAt: new Date().toISOString() }).where('id', '=', dan.id).execute()
  await serve(parley.databaseUrl)
  await expect.poll(() => isDeleted(own), { timeout: STATE_TIMEOUT_MS }).toBe(true)
  await expect.poll(() => ownerOf(open), { timeout: STATE_TIMEOUT_MS }).toBe(eve.id)
})

longTest(
  'two nodes together hand over five hundred channels',
  async () => {
    const dan = await somebody()
    const rows = Array.from({ length: 500 }, (_, n) => ({
      id: newId(),
      name: `burst-${n}`,
      kind: 'public',
      ownerId: dan.id,
      memberCount: 1,
      rev: 1,
      selfRev: 1,
    }))
    const channels = await db.insertInto('channels').values(rows).returning('id').execute()
    await db
      .insertInto('memberships')
      .values(channels.map(({ id }) => ({ channelId: id, userId: dan.id })))
      .execute()
    expect((await owned(ada, dan)).body).toEqual({ owned: 500, leftover: 500 })
    const other = await serve(parley.databaseUrl)
    expect((await deactivate(ada, dan, { heirId: eve.id })).status).toBe(204)
    const remaining = async () =>
      Number(
        (
          await db
            .selectFrom('channels')
            .select((row) => row.fn.countAll().as('count'))
            .where('ownerId', '=', dan.id)
            .executeTakeFirstOrThrow()
        ).count,
      )
    await expect.poll(remaining, { timeout: 60_000, interval: 200 }).toBe(0)
    const ids = channels.map(({ id }) => id)
    const counts = await db.selectFrom('channels').select('memberCount').where('id', 'in', ids).execute()
    expect(new Set(counts.map(({ memberCount }) => memberCount))).toEqual(new Set([2]))
    expect((await eve.get('/api/channels')).status).toBe(200)
    await other.app.close()
  },
  90_000,
)
