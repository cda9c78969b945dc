import { expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'
import { createLostCommits } from './lost-commits.ts'

const parley = await startParley()
const { db } = parley.app
const { ada, bob } = await parley.people('ada', 'bob')

/** Records everything published about a channel during an action. */
async function record(act: (channelId: string) => Promise<unknown>) {
  const listener = await ada.listen()
  const name = `channel ${Math.random()}`
  const { id: channelId } = (await ada.post('/api/channels', { name, members: [bob.id] })).body
  await act(channelId)
  const marker = (await ada.post('/api/channels', { name: `${name} ended` })).body
  await listener.waitFor('channel:created', ({ id }) => id === marker.id)
  listener.socket.close()
  const lostCommits = createLostCommits(db)
  for (const { event, payload } of listener.events) lostCommits.note(event, payload as object)
  return { channelId, isLost: () => lostCommits.found(null) }
}

const reply = async (id: string) => {
  const parentMessageId = (await ada.say(id, 'parent')).id
  return (await bob.post('/api/threads/messages', { parentMessageId, content: 'reply' })).body
}

const LAST: Record<string, (channelId: string) => Promise<unknown>> = {
  message: (id) => ada.say(id, 'one'),
  edit: async (id) => ada.put(`/api/messages/${(await ada.say(id, 'one')).id}`, { content: 'edited' }),
  deletion: async (id) => ada.delete(`/api/messages/${(await ada.say(id, 'one')).id}`),
  reaction: async (id) => bob.post(`/api/messages/${(await ada.say(id, 'one')).id}/reactions`, { emoji: '👀' }),
  reply,
  'deleted reply': async (id) => bob.delete(`/api/threads/messages/${(await reply(id)).id}`),
  removal: (id) => ada.post(`/api/channels/${id}/remove-member`, { userId: bob.id }),
  topic: (id) => ada.patch(`/api/channels/${id}`, { topic: 'topic' }),
}

test('a database that contains everything published has lost nothing', async () => {
  for (const [last, act] of Object.entries(LAST)) {
    const { channelId, isLost } = await record(act)
    expect(await isLost(), last).toBe(false)
    await ada.say(channelId, 'a later one')
    expect(await isLost(), last).toBe(false)
  }
})

const sent = (id: string) => ada.say(id, 'lost')

test('a lost message is noticed, even if another one took its revision', async () => {
  const { channelId, isLost } = await record(sent)
  await db.deleteFrom('messages').where('channelId', '=', channelId).execute()
  expect(await isLost()).toBe(true)
  await db.updateTable('channels').set({ rev: 1, seq: 0 }).where('id', '=', channelId).execute()
  expect(await isLost()).toBe(true)
  for (let n = 0; n < 3; n++) await bob.say(channelId, 'taken')
  expect(await isLost()).toBe(true)
})

test('a lost edit is noticed, even if the message was edited again and another one took its revision', async () => {
  const { channelId, isLost } = await record(async (id) => {
    const message = await sent(id)
    await ada.put(`/api/messages/${message.id}`, { content: 'edit that is lost' })
  })
  await db.updateTable('channels').set({ rev: 2 }).where('id', '=', channelId).execute()
  await db.updateTable('messages').set({ rev: 2 }).where('channelId', '=', channelId).execute()
  expect(await isLost()).toBe(true)
  await bob.say(channelId, 'taken')
  const message = await db.selectFrom('messages').select('id').where('content', '=', 'edit that is lost').execute()
  await ada.put(`/api/messages/${message.at(-1)?.id}`, { content: 'edited again' })
  expect(await isLost()).toBe(true)
})

test('a lost change of a channel is noticed even if a message took its revision; a deleted channel is not a loss', async () => {
  const { channelId, isLost } = await record((id) => ada.patch(`/api/channels/${id}`, { topic: 'lost' }))
  await db.updateTable('channels').set({ rev: 1, selfRev: 1 }).where('id', '=', channelId).execute()
  expect(await isLost()).toBe(true)
  await bob.say(channelId, 'taken')
  expect(await isLost()).toBe(true)

  const deleted = await record((id) => ada.delete(`/api/channels/${id}`))
  await db.deleteFrom('memberships').where('channelId', '=', deleted.channelId).execute()
  await db.deleteFrom('channels').where('id', '=', deleted.channelId).execute()
  expect(await deleted.isLost()).toBe(false)
})
