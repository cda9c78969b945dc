import { beforeAll, expect, test } from 'vitest'
import { startTalk } from './cached-browser.ts'

let talk: Awaited<ReturnType<typeof startTalk>>
beforeAll(async () => {
  talk = await startTalk()
})

test('somebody comes online and sets an emoji: their direct message and the directory show it', async () => {
  const { ada, bob } = talk
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [ada.id] })
  const browser = await talk.bobIn(direct.id)
  await browser.after(() => ada.listen())
  expect(browser.held()?.members.map(({ status }) => status)).toEqual(['online', 'online'])
  await browser.after(() => ada.put('/api/users/status', { user_status: '🌴' }))
  await browser.after(() => bob.put('/api/users/status', { user_status: '🎧' }))
  expect(browser.fetchCount()).toBe(0)
})

test('somebody becomes idle and returns: their direct message and the directory show it', async () => {
  const { eve, bob } = talk
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [eve.id] })
  const browser = await talk.bobIn(direct.id)
  const { socket } = await eve.listen()
  const idle = () =>
    browser
      .held()
      ?.members.filter(({ isIdle }) => isIdle)
      .map(({ id }) => id)
  await browser.after(async () => socket.emit('status:update', 'idle'))
  await expect.poll(idle).toEqual([eve.id])
  await browser.after(async () => socket.emit('status:update', 'online'))
  await expect.poll(idle).toEqual([])
  expect(browser.fetchCount()).toBe(0)
  socket.close()
})

test('somebody changes their name: messages, reactions, threads, members and the directory show it', async () => {
  const { ada, bob, eve } = talk
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [ada.id, eve.id] })
  const { id } = await bob.say(direct.id, 'Who is there?')
  await ada.post('/api/threads/messages', { parentMessageId: id, content: 'Me' })
  await ada.post(`/api/messages/${id}/reactions`, { emoji: '👋' })
  await ada.say(direct.id, 'It is me')
  const browser = await talk.bobIn(direct.id, id)
  await browser.after(() => ada.patch('/api/users/me', { name: 'Ada Lovelace' }))
  await browser.after(() => ada.patch('/api/users/me', { username: 'zaza' }))
  await browser.after(() => ada.say(direct.id, 'It is still me'))
  expect(browser.fetchCount()).toBe(0)
})

test('a new user signs up', async () => {
  const { body } = await talk.ada.post('/api/channels', { name: 'arrivals' })
  const browser = await talk.bobIn(body.id)
  await browser.after(() => talk.person('newcomer'))
})

test('a user is deactivated and reactivated', async () => {
  const { ada, bob, eve } = talk
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [eve.id] })
  const browser = await talk.bobIn(direct.id)
  await browser.after(() => ada.put(`/api/users/${eve.id}/deactivation`, {}))
  expect(browser.held()?.members.find(({ id }) => id === eve.id)?.deactivatedAt).not.toBeNull()
  await browser.after(() => ada.delete(`/api/users/${eve.id}/deactivation`))
})
