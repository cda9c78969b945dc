import { expect, test } from 'vitest'
import { can } from '#contract/can'
import { channelLevels } from '#contract/channels'
import { permissionsOf } from '#contract/permission-table'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
// Olga came first, so she owns the workspace.
const { olga, ada, bob, cyd, eve } = await parley.people('olga', 'ada', 'bob', 'cyd', 'eve')
await olga.put(`/api/users/${ada.id}/role`, { role: 'admin' })

let count = 0
async function newChannel(isPrivate = false) {
  const name = `${isPrivate ? 'closed' : 'open'} ${count++}`
  return (await bob.post('/api/channels', { name, isPrivate, members: [cyd.id] })).body
}
const archive = (by: Person, id: string) => by.put(`/api/channels/${id}/archive`, {})
const restore = (by: Person, id: string) => by.delete(`/api/channels/${id}/archive`)
const post = (by: Person, channelId: string, content = 'text') => by.post('/api/messages', { channelId, content })

test('an archived channel is read-only on every path, searchable, and restored with its members', async () => {
  const channel = await newChannel()
  const { id } = await cyd.say(channel.id, 'quartz of the past')
  await cyd.post(`/api/messages/${id}/reactions`, { emoji: '🎉' })
  const hears = await eve.listen()
  for (const person of [cyd, eve]) expect((await archive(person, channel.id)).status).toBe(403)
  expect((await archive(ada, channel.id)).body.archivedAt).toEqual(expect.any(String))
  const event = await hears.waitFor('channel:updated', (it) => it.id === channel.id)
  expect(event.archivedAt).toEqual(expect.any(String))

  const refused = [
    await post(cyd, channel.id),
    await cyd.post('/api/threads/messages', { parentMessageId: id, content: 'text' }),
    await cyd.put(`/api/messages/${id}`, { content: 'other' }),
    await cyd.delete(`/api/messages/${id}`),
    await cyd.post(`/api/messages/${id}/reactions`, { emoji: '👀' }),
    await cyd.upload(channel.id, 'notes.txt'),
    await cyd.post(`/api/channels/${channel.id}/invite`, { userId: eve.id }),
    await eve.post(`/api/channels/${channel.id}/join`),
    await bob.patch(`/api/channels/${channel.id}`, { topic: 'other' }),
  ]
  expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'archived'))
  expect((await eve.get(`/api/messages/channel/${channel.id}`)).body).toHaveLength(1)
  await expect.poll(async () => (await eve.get('/api/search?q=quartz')).body.length).toBe(1)

  expect((await restore(eve, channel.id)).status).toBe(403)
  expect((await restore(bob, channel.id)).body.archivedAt).toBeNull()
  expect((await cyd.get(`/api/channels/${channel.id}`)).body).toMatchObject({ isMember: true, _count: { members: 2 } })
  expect((await post(cyd, channel.id)).status).toBe(201)
  const { entries } = (await olga.get('/api/audit?topic=channels&limit=2')).body
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(['channel_restored', 'channel_archived'])
})

test('messages that race with archiving are stored before it, or refused', async () => {
  const channel = await newChannel()
  const sends = Array.from({ length: 30 }, () => post(cyd, channel.id))
  const archived = archive(bob, channel.id)
  const answers = await Promise.all(sends)
  await archived
  const stored = answers.filter(({ status }) => status === 201)
  expect(new Set(answers.map(({ status, code }) => code ?? status))).toEqual(
    new Set([201, 'archived'].filter((it) => (it === 201 ? stored.length > 0 : stored.length < 30))),
  )
  const { archivedAt, seq } = (await bob.get(`/api/channels/${channel.id}`)).body
  expect(seq).toBe(stored.length)
  for (const { body } of stored) expect(body.createdAt <= archivedAt).toBe(true)
})

test('admins can delete only archived channels; the owner of a channel can delete it as before', async () => {
  const channel = await newChannel()
  const remove = (by: Person, id: string) => by.delete(`/api/workspace/channels/${id}`)
  expect(await remove(ada, channel.id)).toMatchObject({ status: 409, code: 'not_archived' })
  await archive(ada, channel.id)
  for (const person of [bob, cyd, eve]) expect((await remove(person, channel.id)).status).toBe(403)
  expect((await remove(ada, channel.id)).status).toBe(204)
  expect((await bob.get(`/api/channels/${channel.id}`)).status).toBe(404)

  const another = await newChannel()
  expect((await bob.delete(`/api/channels/${another.id}`)).status).toBe(204)
})

test('#general and direct messages cannot be archived', async () => {
  const { channels } = (await olga.get('/api/channels')).body
  const general = channels.find(({ isGeneral }: { isGeneral: boolean }) => isGeneral)
  expect((await archive(olga, general.id)).code).toBe('everyone_stays')
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [cyd.id] })
  expect((await archive(bob, direct.id)).status).toBe(403)
})

test('private channels are listed by name only for the owner, and only if the workspace allows it', async () => {
  const channel = await newChannel(true)
  const names = async (by: Person) =>
    (await by.get('/api/workspace/channels')).body.channels.map(({ name }: { name: string }) => name)
  expect(await names(olga)).not.toContain(channel.name)
  expect((await archive(olga, channel.id)).status).toBe(404)
  expect((await ada.patch('/api/workspace/channels', { listsPrivate: true })).status).toBe(403)
  expect((await olga.patch('/api/workspace/channels', { listsPrivate: true })).status).toBe(204)
  expect(await names(olga)).toContain(channel.name)
  expect(await names(ada)).not.toContain(channel.name)
  expect((await bob.get('/api/workspace/channels')).status).toBe(403)
  // Only by name: their messages stay private.
  expect((await olga.get(`/api/messages/channel/${channel.id}`)).status).toBe(404)
  expect((await archive(ada, channel.id)).status).toBe(404)
  expect((await archive(olga, channel.id)).status).toBe(200)
  expect((await olga.delete(`/api/workspace/channels/${channel.id}`)).status).toBe(204)
})

test('in an announcement channel only admins and its owner post, and others reply if allowed', async () => {
  const channel = await newChannel()
  await bob.post(`/api/channels/${channel.id}/invite`, { userId: ada.id })
  expect((await cyd.patch(`/api/channels/${channel.id}`, { posting: 'admins' })).status).toBe(403)
  expect((await bob.patch(`/api/channels/${channel.id}`, { posting: 'admins' })).body.posting).toBe('admins')
  expect((await post(cyd, channel.id)).body.error.reason).toBe('mayNotPostHere')
  expect((await cyd.upload(channel.id, 'notes.txt')).body.error.reason).toBe('mayNotPostHere')
  for (const person of [bob, ada]) expect((await post(person, channel.id)).status).toBe(201)
  const { id } = await bob.say(channel.id, 'news')
  const reply = () => cyd.post('/api/messages', { channelId: channel.id, threadId: id, content: 'thanks' })
  expect((await reply()).status).toBe(201)
  expect((await cyd.post(`/api/messages/${id}/reactions`, { emoji: '🎉' })).status).toBe(200)
  await bob.patch(`/api/channels/${channel.id}`, { areRepliesOpen: false })
  expect((await reply()).body.error.reason).toBe('mayNotPostHere')
})

test('a channel’s rule for @channel applies to messages, replies and edits', async () => {
  const channel = await newChannel()
  await bob.patch(`/api/channels/${channel.id}`, { broadcasting: 'admins' })
  const { id } = await cyd.say(channel.id, 'hello')
  const refused = [
    await post(cyd, channel.id, '@channel hello'),
    await post(cyd, channel.id, '@here hello'),
    await cyd.post('/api/threads/messages', { parentMessageId: id, content: '@channel hello' }),
    await cyd.put(`/api/messages/${id}`, { content: '@channel hello' }),
  ]
  expect(refused.map(({ body }) => body.error.reason)).toEqual(refused.map(() => 'mayNotMentionChannel'))
  expect((await post(bob, channel.id, '@channel hello')).status).toBe(201)
})

test('the browser’s rules and the database agree for each role, level and kind of message', async () => {
  const channel = await newChannel()
  await bob.post(`/api/channels/${channel.id}/invite`, { userId: ada.id })
  await bob.post(`/api/channels/${channel.id}/invite`, { userId: olga.id })
  const { body: invite } = await olga.post('/api/invites', { guests: { channelIds: [channel.id], days: 1 } })
  const gil = await parley.person('gil', invite.code)
  const { id: threadId } = await bob.say(channel.id, 'parent')
  const roles = [
    [olga, 'owner'],
    [ada, 'admin'],
    [cyd, 'member'],
    [gil, 'guest'],
    // The channel's owner.
    [bob, 'member'],
  ] as const
  for (const posting of channelLevels)
    for (const areRepliesOpen of [true, false]) {
      const { body: rules } = await bob.patch(`/api/channels/${channel.id}`, { posting, areRepliesOpen })
      for (const [person, role] of roles) {
        const me = { id: person.id, role, may: permissionsOf(role) }
        const sent = (await post(person, channel.id)).status === 201
        const replied = (await person.post('/api/messages', { channelId: channel.id, threadId, content: 'text' }))
          .status
        expect([role, posting, areRepliesOpen, sent, replied === 201]).toEqual([
          role,
          posting,
          areRepliesOpen,
          can.post(me, rules),
          can.reply(me, rules),
        ])
      }
    }
})
