import { beforeAll, expect, test, vi } from 'vitest'
import { STATE_TIMEOUT_MS } from '../../server/test/support/timeouts.ts'
import { allChannels, directMessages, sharedChannels } from '../../web/features/channels/cache/channel-queries.ts'
import { startTalk } from './cached-browser.ts'

let talk: Awaited<ReturnType<typeof startTalk>>
beforeAll(async () => {
  talk = await startTalk()
})

let count = 0
/** A channel of Ada's with the given members. */
async function channelOf(body: { isPrivate?: boolean; members?: string[] } = {}) {
  const { body: channel } = await talk.ada.post('/api/channels', { name: `channel-${count++}`, ...body })
  return { ...channel, path: `/api/channels/${channel.id}` }
}

test('a new channel: public, private with me in it, a direct message', async () => {
  const { ada, bob, eve } = talk
  const browser = await talk.bobIn((await channelOf()).id)
  await browser.after(() => channelOf())
  await browser.after(() => channelOf({ members: [bob.id] }))
  await browser.after(() => channelOf({ isPrivate: true, members: [bob.id] }))
  await browser.after(() => ada.post('/api/direct-messages', { userIds: [bob.id] }))
  await browser.after(() => bob.post('/api/direct-messages', { userIds: [ada.id, eve.id] }))
  expect(browser.fetchCount()).toBe(0)
})

test('channels are sorted by name, direct messages by their last message', async () => {
  const { ada, bob, eve } = talk
  const first = (await bob.post('/api/direct-messages', { userIds: [eve.id] })).body.id
  const second = (await bob.post('/api/direct-messages', { userIds: [eve.id, ada.id] })).body.id
  const { id, path } = await channelOf({ members: [bob.id] })
  const { client, after } = await talk.bobIn(id)
  const listed = (list: typeof sharedChannels) =>
    list.select?.(client.getQueryData(allChannels.queryKey) ?? {}).map((channel) => channel.id) ?? []
  await after(() => ada.say(second, 'hello you two'))
  expect(listed(directMessages).slice(0, 2)).toEqual([second, first])
  await after(() => eve.say(first, 'hello you'))
  expect(listed(directMessages).slice(0, 2)).toEqual([first, second])
  await after(() => ada.patch(path, { name: 'aardvarks' }))
  expect(listed(sharedChannels)[0]).toBe(id)
  expect(listed(sharedChannels)).not.toContain(first)
})

test('a channel changes: its name, its topic, its owner', async () => {
  const { ada, bob } = talk
  const { id, path } = await channelOf({ members: [bob.id] })
  const browser = await talk.bobIn(id)
  await browser.after(() => ada.patch(path, { name: 'another-name' }))
  await browser.after(() => ada.patch(path, { topic: 'What this is about' }))
  await browser.after(() => ada.patch(path, { ownerId: bob.id }))
  expect(browser.fetchCount()).toBe(0)
})

test('a channel becomes private and public again, for those in it and for those outside', async () => {
  const { ada, bob } = talk
  const [inside, outside] = [await channelOf({ members: [bob.id] }), await channelOf()]
  await ada.say(outside.id, 'for all to see')
  const [member, visitor] = [await talk.bobIn(inside.id), await talk.bobIn(outside.id)]
  await member.after(() => ada.patch(inside.path, { isPrivate: true }))
  await visitor.after(() => ada.patch(outside.path, { isPrivate: true }))
  expect(visitor.held()).toBeUndefined()
  await visitor.after(() => ada.patch(outside.path, { isPrivate: false }))
})

test('somebody joins, leaves, and is removed', async () => {
  const { ada, bob, eve } = talk
  const { id, path } = await channelOf({ members: [bob.id] })
  const browser = await talk.bobIn(id)
  await browser.after(() => eve.post(`${path}/join`))
  await browser.after(() => eve.post(`${path}/leave`))
  await browser.after(() => ada.post(`${path}/invite`, { userId: eve.id }))
  await browser.after(() => ada.post(`${path}/remove-member`, { userId: eve.id }))
  expect(browser.fetchCount()).toBe(0)
})

test('on another device I join, leave, am invited and removed', async () => {
  const { ada, bob } = talk
  const { id, path } = await channelOf()
  await ada.say(id, 'before')
  const browser = await talk.bobIn(id)
  await browser.after(() => bob.post(`${path}/join`))
  await browser.after(() => ada.say(id, 'you here?'))
  await browser.after(() => bob.post(`${path}/leave`))
  // A viewer still receives events of a public channel.
  browser.socket.emit('channel:join', id)
  await browser.after(() => ada.say(id, 'gone again'))
  await browser.after(() => ada.post(`${path}/invite`, { userId: bob.id }))
  await browser.after(() => ada.post(`${path}/remove-member`, { userId: bob.id }))
})

test('I am invited to a private channel, and removed while another one is open', async () => {
  const { ada, bob } = talk
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { id, path } = await channelOf({ isPrivate: true })
  await ada.say(id, 'before')
  const browser = await talk.bobIn(id)
  await browser.after(() => ada.post(`${path}/invite`, { userId: bob.id }))
  await browser.after(() => ada.say(id, 'welcome'))
  await browser.after(() => ada.post(`${path}/remove-member`, { userId: bob.id }))
  expect(browser.held()).toBeUndefined()

  await browser.after(() => ada.post(`${path}/invite`, { userId: bob.id }))
  await browser.after(async () => {
    // The removal's event is pending while the browser leaves the view.
    const listenAgain = browser.pause()
    await ada.post(`${path}/remove-member`, { userId: bob.id })
    browser.socket.emit('channel:leave', id)
    listenAgain()
  })
  // First viewing was rejected, now leaving the view is.
  await vi.waitFor(() => expect(errors.mock.calls).toEqual(Array(2).fill(['Channel error:', 'Channel not found'])), {
    timeout: STATE_TIMEOUT_MS,
  })
})

test.each([false, true])(
  'I am removed and invited again before the response to the removal arrives (private: %s)',
  async (isPrivate) => {
    const { ada, bob } = talk
    const { id, path } = await channelOf({ isPrivate, members: [bob.id] })
    const browser = await talk.bobIn(id)
    const { fetch } = globalThis
    let isHeld = false
    let release = () => {}
    globalThis.fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (url === path && !isHeld) {
        isHeld = true
        await new Promise<void>((resolve) => {
          release = resolve
        })
      }
      return response
    }
    await ada.post(`${path}/remove-member`, { userId: bob.id })
    await vi.waitFor(() => expect(isHeld).toBe(true), { timeout: STATE_TIMEOUT_MS })
    const joined = new Promise<void>((resolve) => browser.socket.once('channel:member_joined', () => resolve()))
    await ada.post(`${path}/invite`, { userId: bob.id })
    await joined
    release()
    globalThis.fetch = fetch
    await browser.settled()
    expect(browser.held()).toMatchObject({ isMember: true })
  },
)

test('unsubscribing from a channel changes nothing', async () => {
  const { ada, bob } = talk
  const { id } = await channelOf({ members: [bob.id] })
  const browser = await talk.bobIn(id)
  browser.socket.emit('channel:leave', id)
  await browser.after(() => ada.say(id, 'still here'))
  expect(browser.fetchCount()).toBe(0)
})

test('a channel is deleted: one of mine, and one I only view', async () => {
  const { ada, bob } = talk
  for (const members of [[bob.id], []]) {
    const { id, path } = await channelOf({ members })
    await ada.say(id, 'not for long')
    const browser = await talk.bobIn(id)
    await browser.after(() => ada.delete(path))
    expect(browser.held()).toBeUndefined()
  }
})
