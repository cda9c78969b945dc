import { expect, test } from 'vitest'
import { transaction, untilLockWait } from '../../test/support/open-transactions.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

// Requests that start before a channel is archived, or somebody's permissions change, and end afterwards.

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')
let count = 0
const newChannel = async () => {
  const name = `channel ${count++}`
  return (await ada.post('/api/channels', { name, members: [bob.id] })).body.id as string
}
const archive = (channelId: string) => ada.put(`/api/channels/${channelId}/archive`, {})
const membersOf = async (channelId: string) =>
  (await ada.get(`/api/channels/${channelId}/members`)).body.members.map(({ id }: Person) => id).sort()

test('nobody joins or is added to a channel that is being archived', async () => {
  const { body: group } = await olga.post('/api/groups', { username: 'crew', name: 'Crew', userIds: [eve.id] })
  const acts: ((channelId: string) => Promise<{ status: number; code: string | undefined }>)[] = [
    (id) => eve.post(`/api/channels/${id}/join`),
    (id) => bob.post(`/api/channels/${id}/invite`, { userId: eve.id }),
    (id) => bob.post(`/api/channels/${id}/invite-group`, { groupId: group.id }),
  ]
  for (const act of acts) {
    const channelId = await newChannel()
    const archiving = await transaction(parley.databaseUrl, [
      'update channels set "archivedAt" = clock_timestamp(), rev = rev + 1, "selfRev" = rev + 1 where id = $1',
      [channelId],
    ])
    const answer = act(channelId)
    await untilLockWait(parley.databaseUrl, 'from "channels"')
    await archiving.commit()
    expect(await answer).toMatchObject({ status: 409, code: 'archived' })
    expect(await membersOf(channelId)).toEqual([ada.id, bob.id].sort())
  }
})

test('files stay in an archive, unless a moderator removes them', async () => {
  const channelId = await newChannel()
  const { body: file } = await bob.upload(channelId, 'notes.txt', 'notes', true)
  const { body: message } = await bob.post('/api/messages', { channelId, content: 'see', fileIds: [file.id] })
  await archive(channelId)
  expect(await bob.delete(`/api/files/${file.id}`)).toMatchObject({ status: 409, code: 'archived' })
  const { body: page } = await bob.get(`/api/messages/channel/${channelId}`)
  expect(page.find(({ id }: { id: string }) => id === message.id).files).toHaveLength(1)
  expect((await olga.delete(`/api/files/${file.id}`)).status).toBe(204)
})

test('people who may no longer post cannot edit their messages, but can delete them', async () => {
  const channelId = await newChannel()
  const { id } = await bob.say(channelId, 'before')
  const edit = () => bob.put(`/api/messages/${id}`, { content: `after ${count++}` })
  expect((await edit()).status).toBe(200)
  await ada.patch(`/api/channels/${channelId}`, { posting: 'admins' })
  expect((await edit()).body.error.reason).toBe('mayNotPostHere')
  const { body: reply } = await bob.post('/api/messages', { channelId, threadId: id, content: 'reply' })
  expect((await bob.put(`/api/threads/messages/${reply.id}`, { content: 'other reply' })).status).toBe(200)
  await ada.patch(`/api/channels/${channelId}`, { areRepliesOpen: false })
  expect((await bob.put(`/api/threads/messages/${reply.id}`, { content: 'again' })).body.error.reason).toBe(
    'mayNotPostHere',
  )
  await ada.patch(`/api/channels/${channelId}`, { posting: 'all' })
  await olga.patch('/api/workspace/permissions', { post: ['owner', 'admin', 'guest'] })
  expect((await edit()).body.error.reason).toBe('mayNotPost')
  expect((await bob.delete(`/api/messages/${id}`)).status).toBe(204)
  await olga.patch('/api/workspace/permissions', { post: ['owner', 'admin', 'member', 'guest'] })
})

test('repeating a message with @channel returns the stored one, even after the permission was lost', async () => {
  const channelId = await newChannel()
  const { id: threadId } = await ada.say(channelId, 'parent')
  const sends = [
    { channelId, content: '@channel news', clientId: `key ${count++}` },
    { channelId, threadId, content: '@here news', clientId: `key ${count++}` },
  ]
  const send = (body: object) => bob.post('/api/messages', body)
  const stored = [await send(sends[0] as object), await send(sends[1] as object)]
  expect(stored.map(({ status }) => status)).toEqual([201, 201])
  await ada.patch(`/api/channels/${channelId}`, { broadcasting: 'admins' })
  for (const [i, body] of sends.entries()) {
    const repeated = await send(body)
    expect([repeated.status, repeated.body.id]).toEqual([200, stored[i]?.body.id])
    expect((await send({ ...body, clientId: `key ${count++}` })).body.error.reason).toBe('mayNotMentionChannel')
  }
})
