import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')

let made = 0
/** A message of Ada's in a channel with Bob and Cyd, but not Eve. */
async function newMessage({ isPrivate = true } = {}): Promise<Message> {
  const members = [bob.id, cyd.id]
  const { body } = await ada.post('/api/channels', { name: `pins-${made++}`, isPrivate, members })
  return ada.say(body.id, 'the plan')
}

const url = ({ id }: { id: string }) => `/api/messages/${id}/pin`
const pin = (person: Person, message: { id: string }) => person.put(url(message), {})
const unpin = (person: Person, message: { id: string }) => person.delete(url(message))
const pins = async (person: Person, { channelId }: { channelId: string }): Promise<Message[]> =>
  (await person.get(`/api/channels/${channelId}/pins`)).body
const revOf = async ({ channelId }: Message) => (await ada.get(`/api/channels/${channelId}`)).body.rev
const face = ({ id, username, name }: Person) => ({ id, username, name })

test('a pin shows who pinned a message and when, in the reply, the page, the changes and the list', async () => {
  const message = await newMessage()
  expect(message).not.toHaveProperty('pin')
  const before = Date.now()
  const { status, body: pinned } = await pin(bob, message)
  expect(status).toBe(200)
  expect(pinned).toMatchObject({ id: message.id, content: 'the plan', rev: message.rev + 1, editedAt: null })
  expect(pinned.pin).toMatchObject({ by: face(bob) })
  expect(Date.parse(pinned.pin.at)).toBeGreaterThan(before - 1000)
  expect((await ada.get(`/api/messages/channel/${message.channelId}`)).body).toEqual([pinned])
  const { body: changes } = await ada.get(`/api/channels/${message.channelId}/changes?after=${message.rev}`)
  expect(changes.messages).toEqual([pinned])
  expect(await pins(cyd, message)).toEqual([pinned])

  const { body: unpinned } = await unpin(cyd, message)
  expect(unpinned).toMatchObject({ id: message.id, rev: message.rev + 2 })
  expect(unpinned).not.toHaveProperty('pin')
  expect(await pins(cyd, message)).toEqual([])
})

test('repeating it changes nothing: the first pin counts', async () => {
  const message = await newMessage()
  const { body: first } = await pin(bob, message)
  expect((await pin(ada, message)).body).toEqual(first)
  expect(await revOf(message)).toBe(first.rev)
  const { body: unpinned } = await unpin(ada, message)
  expect((await unpin(bob, message)).body).toEqual(unpinned)
  expect(await revOf(message)).toBe(unpinned.rev)
})

test('two people who pin at once make one pin', async () => {
  const message = await newMessage()
  const answers = await Promise.all([ada, bob, cyd].map((person) => pin(person, message)))
  expect(new Set(answers.map(({ body }) => body.pin.by.id)).size).toBe(1)
  expect(await revOf(message)).toBe(message.rev + 1)
})

test('members receive each pin as an update of the message, outsiders nothing', async () => {
  const message = await newMessage()
  const [listener, outsider] = [await cyd.listen(), await eve.listen()]
  const { body: pinned } = await pin(bob, message)
  const { body: unpinned } = await unpin(bob, message)
  await listener.waitFor('message:updated', ({ rev }) => rev === unpinned.rev)
  const updates = listener.events.filter(({ event }) => event === 'message:updated').map(({ payload }) => payload)
  expect(updates).toEqual([pinned, unpinned])
  expect(outsider.events.filter(({ event }) => event.startsWith('message:'))).toEqual([])
})

test('the list has the last pinned first, with replies, and stays through edits', async () => {
  const first = await newMessage()
  const second = await ada.say(first.channelId, 'second')
  const { body: reply } = await bob.post('/api/threads/messages', { parentMessageId: first.id, content: 'a reply' })
  for (const message of [second, reply, first]) await pin(cyd, message)
  expect((await pins(bob, first)).map(({ id }) => id)).toEqual([first.id, reply.id, second.id])
  await ada.put(`/api/messages/${second.id}`, { content: 'second, edited' })
  const listed = await pins(bob, first)
  expect(listed.map(({ content }) => content)).toEqual(['the plan', 'a reply', 'second, edited'])
  expect(listed[2]?.pin).toMatchObject({ by: face(cyd) })
  const [, shown] = (await ada.get(`/api/threads/${first.id}/messages`)).body
  expect(shown).toMatchObject({ id: reply.id, pin: { by: face(cyd) } })
})

test('a deleted message is no longer pinned, and cannot be', async () => {
  const message = await newMessage()
  await pin(bob, message)
  await ada.delete(`/api/messages/${message.id}`)
  expect(await pins(bob, message)).toEqual([])
  const [tombstone] = (await bob.get(`/api/messages/channel/${message.channelId}`)).body
  expect(tombstone).not.toHaveProperty('pin')
  expect(await pin(bob, message)).toMatchObject({ status: 409, code: 'deleted' })
  expect(await unpin(bob, message)).toMatchObject({ status: 200 })
  const { pinnedAt } = await parley.app.db
    .selectFrom('messages')
    .select('pinnedAt')
    .where('id', '=', message.id)
    .executeTakeFirstOrThrow()
  expect(pinnedAt).toBeNull()
})

test('a pinned message that a node of the previous version deleted is not listed and does not count', async () => {
  const message = await newMessage()
  await pin(bob, message)
  await parley.app.db
    .updateTable('messages')
    .set({ deletedAt: new Date().toISOString(), content: '', rev: message.rev + 2 })
    .where('id', '=', message.id)
    .execute()
  expect(await pins(bob, message)).toEqual([])
  const [tombstone] = (await bob.get(`/api/messages/channel/${message.channelId}?limit=7`)).body
  expect(tombstone).not.toHaveProperty('pin')
})

test('a channel has at most a hundred pins; unpinning makes room', async () => {
  const message = await newMessage()
  const sent = []
  for (let n = 0; n < limits.pins; n++) sent.push(await ada.say(message.channelId, `pin ${n}`))
  await parley.app.db
    .updateTable('messages')
    .set({ pinnedAt: new Date().toISOString(), pinnedBy: bob.id })
    .where(
      'id',
      'in',
      sent.slice(1).map(({ id }) => id),
    )
    .execute()
  const answers = await Promise.all([pin(ada, message), pin(cyd, sent[0] as Message)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect(refused).toMatchObject({ code: 'too_many_pins', body: { error: { values: { max: limits.pins } } } })
  expect(await pins(cyd, message)).toHaveLength(limits.pins)
  await unpin(bob, sent[5] as Message)
  const [left] = [message, sent[0] as Message].filter((_, n) => answers[n]?.status === 409)
  expect(await pin(bob, left as Message)).toMatchObject({ status: 200 })
  expect(await pins(cyd, message)).toHaveLength(limits.pins)
})

test('outsiders neither pin nor see pins; visitors of a public channel see them', async () => {
  const [hidden, open] = [await newMessage(), await newMessage({ isPrivate: false })]
  await pin(bob, hidden)
  await pin(bob, open)
  for (const message of [hidden, { id: uuid(), channelId: uuid() }]) {
    expect(await pin(eve, message)).toMatchObject({ status: 404, code: 'not_found' })
    expect(await unpin(eve, message)).toMatchObject({ status: 404, code: 'not_found' })
    expect(await eve.get(`/api/channels/${message.channelId}/pins`)).toMatchObject({ status: 404, code: 'not_found' })
  }
  expect(await pin(eve, open)).toMatchObject({ status: 403, code: 'not_a_member' })
  expect(await unpin(eve, open)).toMatchObject({ status: 403, code: 'not_a_member' })
  expect(await pins(eve, open)).toMatchObject([{ id: open.id, pin: { by: face(bob) } }])
})

test('whoever may not post may not pin or unpin', async () => {
  const message = await newMessage()
  await pin(ada, message)
  await ada.patch(`/api/channels/${message.channelId}`, { posting: 'admins' })
  expect(await unpin(bob, message)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await pin(bob, await ada.say(message.channelId, 'news'))).toMatchObject({ status: 403, code: 'forbidden' })
  await ada.put(`/api/channels/${message.channelId}/archive`, {})
  expect(await unpin(ada, message)).toMatchObject({ status: 409, code: 'archived' })
  expect(await pins(bob, message)).toMatchObject([{ id: message.id }])
})

test('somebody who left loses the list; what they pinned stays', async () => {
  const message = await newMessage()
  await pin(bob, message)
  await bob.post(`/api/channels/${message.channelId}/leave`)
  expect((await bob.get(`/api/channels/${message.channelId}/pins`)).status).toBe(404)
  expect(await pins(ada, message)).toMatchObject([{ id: message.id, pin: { by: face(bob) } }])
})

test('the list has the current names, even if this node has not heard of a renaming yet', async () => {
  const message = await newMessage()
  await pin(bob, message)
  expect(await pins(ada, message)).toMatchObject([{ pin: { by: { name: bob.name } } }])
  // As another node would, whose notice is still on its way.
  const { db } = parley.app
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ name: 'Robert' }).where('id', '=', bob.id).execute()
    await tx.updateTable('workspace').set({ peopleVersion: sql<number>`"peopleVersion" + 1` }).execute()
  })
  expect(await pins(ada, message)).toMatchObject([{ pin: { by: { name: 'Robert' } } }])
})
