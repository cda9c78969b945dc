import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { purgeOnce } from '../../channels/purge-channels.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

const listed = async (person: Person): Promise<Channel[]> => (await person.get('/api/channels?limit=100')).body.channels

test('the owner changes a channel’s name and topic; everyone receives it for a public channel', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'before' })
  const listener = await eve.listen()
  const changed = await ada.patch(`/api/channels/${channel.id}`, { name: ' After ', topic: 'What comes next' })
  expect(changed).toMatchObject({
    status: 200,
    body: { name: 'After', topic: 'What comes next', rev: channel.rev + 1, isMember: true },
  })
  const event = await listener.waitFor('channel:updated', ({ id }) => id === channel.id)
  expect(event).toMatchObject({ name: 'After', rev: channel.rev + 1 })
  expect(event).not.toHaveProperty('isMember')
  expect((await ada.get(`/api/channels/${channel.id}/changes?after=${channel.rev}`)).body.channel).toEqual(changed.body)
  expect((await ada.patch(`/api/channels/${channel.id}`, { topic: '' })).body).toMatchObject({ topic: '' })
})

test('a change by others, or an invalid one, is refused', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'fixed' })
  await bob.post(`/api/channels/${channel.id}/join`)
  const change = (person: Person, body: object) => person.patch(`/api/channels/${channel.id}`, body)
  expect(await change(bob, { name: 'his' })).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await change(eve, { name: 'hers' })).toMatchObject({ status: 403, code: 'not_a_member' })
  expect(await change(ada, { name: 'GENERAL' })).toMatchObject({ status: 409, code: 'name_taken' })
  expect(await change(ada, { ownerId: eve.id })).toMatchObject({ status: 400, code: 'invalid' })
  for (const body of [
    { name: '' },
    { name: 'dm-ada-bob' },
    { name: 'рublic-files' },
    { topic: 'x'.repeat(251) },
    { topic: 'a\nb' },
    { isPrivate: 'yes' },
    { name: 7 },
  ])
    expect(await change(ada, body)).toMatchObject({ status: 400, code: 'invalid' })
  // Fields that this call cannot change are ignored.
  await change(ada, { id: eve.id, seq: 99, rev: 99, memberCount: 99, kind: 'direct', createdAt: '2000-01-01' })
  expect((await ada.get(`/api/channels/${channel.id}`)).body).toMatchObject({
    id: channel.id,
    seq: 0,
    kind: 'public',
    createdAt: channel.createdAt,
  })
})

test('a channel that becomes private disappears for non-members, who never see its new name', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'opening', members: [bob.id] })
  const [bobs, eves] = [await bob.listen(), await eve.listen()]
  eves.socket.emit('channel:join', channel.id)
  await eves.waitFor('channel:joined')
  await ada.patch(`/api/channels/${channel.id}`, { isPrivate: true, name: 'closed-now' })
  expect(await eves.waitFor('channel:deleted')).toEqual({ channelId: channel.id, memberIds: [] })
  expect(await bobs.waitFor('channel:updated')).toMatchObject({ name: 'closed-now', isPrivate: true })
  await ada.say(channel.id, 'among us')
  await bobs.waitFor('message:created', ({ content }) => content === 'among us')
  await ada.patch(`/api/channels/${channel.id}`, { isPrivate: false, name: 'open-again' })
  expect(await eves.waitFor('channel:updated')).toMatchObject({ name: 'open-again', isPrivate: false })
  expect(JSON.stringify(eves.events)).not.toMatch(/closed-now|among us/)
  expect(bobs.all('channel:deleted')).toEqual([])
})

test('ownership is transferred to a member, who then has the owner’s rights', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'handed', members: [bob.id] })
  expect((await ada.patch(`/api/channels/${channel.id}`, { ownerId: bob.id })).body.ownerId).toBe(bob.id)
  expect((await ada.delete(`/api/channels/${channel.id}`)).status).toBe(403)
  expect((await ada.post(`/api/channels/${channel.id}/leave`)).status).toBe(204)
  expect((await bob.delete(`/api/channels/${channel.id}`)).status).toBe(204)
})

test('#general can be changed by its owner, but not deleted, made private or transferred', async () => {
  const general = (await listed(ada)).find(({ isGeneral }) => isGeneral) as Channel
  expect(await ada.delete(`/api/channels/${general.id}`)).toMatchObject({ status: 403, code: 'forbidden' })
  for (const body of [{ isPrivate: true }, { ownerId: bob.id }])
    expect(await ada.patch(`/api/channels/${general.id}`, body)).toMatchObject({ status: 400, code: 'everyone_stays' })
  expect((await ada.patch(`/api/channels/${general.id}`, { topic: 'All of us' })).status).toBe(200)
})

test('a deleted channel disappears everywhere at once; its name is free, and its rows are purged later', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'short-lived', isPrivate: true, members: [bob.id] })
  const message = await bob.say(channel.id, 'last words')
  await bob.post('/api/threads/messages', { parentMessageId: message.id, content: 'a reply' })
  const [bobs, eves] = [await bob.listen(), await eve.listen()]
  expect((await bob.delete(`/api/channels/${channel.id}`)).status).toBe(403)
  expect((await ada.delete(`/api/channels/${channel.id}`)).status).toBe(204)
  const event = await bobs.waitFor('channel:deleted')
  expect(event).toEqual({ channelId: channel.id, memberIds: expect.arrayContaining([ada.id, bob.id]) })
  for (const path of [
    `/api/channels/${channel.id}`,
    `/api/channels/${channel.id}/members`,
    `/api/channels/${channel.id}/changes?after=0`,
    `/api/messages/channel/${channel.id}`,
    `/api/messages/${message.id}/reactions`,
    `/api/threads/${message.id}/messages`,
  ])
    expect(await bob.get(path)).toMatchObject({ status: 404, code: 'not_found' })
  expect((await bob.get('/api/threads')).body.threads).toEqual([])
  expect((await listed(bob)).map(({ id }) => id)).not.toContain(channel.id)
  expect((await bob.post('/api/channels', { name: 'short-lived' })).status).toBe(201)
  await eves.waitFor('channel:created', ({ name }) => name === 'short-lived')
  expect(JSON.stringify(eves.events)).not.toContain(channel.id)

  const { db } = parley.app
  const left = async () =>
    (await db.selectFrom('messages').select('id').where('channelId', '=', channel.id).execute()).length
  expect(await purgeOnce(db)).toBe(false)
  expect(await left()).toBe(2)
  await db.updateTable('channels').set({ deletedAt: '2020-01-01' }).where('id', '=', channel.id).execute()
  while (await purgeOnce(db));
  expect(await left()).toBe(0)
  expect(await db.selectFrom('memberships').select('userId').where('channelId', '=', channel.id).execute()).toEqual([])
})

test('the public bucket is not listed and cannot be joined, renamed or deleted', async () => {
  const { body } = await eve.get('/api/channels/public')
  expect((await listed(eve)).map(({ id }) => id)).not.toContain(body.id)
  expect((await eve.get(`/api/channels/${body.id}`)).body).toMatchObject({ name: 'public-files', isMember: false })
  expect((await eve.post(`/api/channels/${body.id}/join`)).status).toBe(403)
  for (const answer of [
    await ada.patch(`/api/channels/${body.id}`, { name: 'mine' }),
    await ada.delete(`/api/channels/${body.id}`),
    await ada.post('/api/messages', { channelId: body.id, content: 'x' }),
  ])
    expect(answer).toMatchObject({ status: 403, code: 'not_a_member' })
})
