import { QueryClient } from '@tanstack/react-query'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startParley } from '../server/test/parley.ts'
import { allChannels, channelById } from '../web/features/channels/channel-queries.ts'
import { createChannelSync } from '../web/features/messages/channel-sync.ts'
import { messagesIn } from '../web/features/messages/message-queries.ts'
import { listen } from '../web/realtime.ts'
import { readMe, speakFor } from '../web/session.ts'
import type { ChatSocket } from '../web/socket.ts'

// For every event: the browser's cache, after it took the event, equals what the server answers to a fresh read.

let ada: Person
let bob: Person
let address: string
const realFetch = globalThis.fetch

beforeAll(async () => {
  const parley = await startParley()
  address = parley.address
  ada = await parley.person('ada')
  bob = await parley.person('bob')
  // What a browser does by itself: its page's address, and its cookie.
  globalThis.fetch = (path, init) => {
    const headers = { ...(init?.headers as Record<string, string>), cookie: bob.cookie, origin: address }
    return realFetch(`${address}${path}`, { ...init, headers })
  }
  speakFor((await readMe())?.id)
})
afterAll(() => {
  globalThis.fetch = realFetch
})

/** Bob's browser, that has opened a channel; `settled` waits for an event and then compares all it holds. */
async function browserIn(channelId: string) {
  const client = new QueryClient()
  const sync = createChannelSync({ client, onChannel: () => {} })
  const socket = io(address, { auth: { token: bob.token }, transports: ['websocket'], forceNew: true }) as ChatSocket
  listen(socket, { client, sync, me: bob.id })
  await new Promise<void>((resolve) => socket.once('ready', () => resolve()))
  const queries = [allChannels, channelById(channelId), messagesIn(channelId)] as const
  const read = (from: QueryClient) =>
    Promise.all(queries.map((query) => from.fetchQuery({ ...(query as typeof allChannels), staleTime: 0 })))
  await read(client)
  const held = () => queries.map((query) => client.getQueryData(query.queryKey as typeof allChannels.queryKey))
  return {
    after: async (act: () => Promise<unknown>) => {
      const before = JSON.stringify(held())
      await act()
      await expect.poll(() => JSON.stringify(held())).not.toBe(before)
      const fresh = await read(new QueryClient())
      await expect.poll(held).toEqual(fresh)
    },
    close: () => {
      sync.end()
      socket.disconnect()
      client.clear()
    },
  }
}

test('a message, its edit and its deletion; a join; a channel made', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'cache' })
  await bob.post(`/api/channels/${channel.id}/join`)
  await ada.say(channel.id, 'before')
  const browser = await browserIn(channel.id)
  let id = ''
  await browser.after(async () => {
    id = (await ada.say(channel.id, 'first')).id
  })
  await browser.after(() => ada.put(`/api/messages/${id}`, { content: 'second thoughts' }))
  await browser.after(() => ada.delete(`/api/messages/${id}`))
  await browser.after(() => ada.post('/api/channels', { name: 'another' }))
  browser.close()
})

test('somebody joins, and I join by another device', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'joining' })
  const browser = await browserIn(channel.id)
  await browser.after(() => bob.post(`/api/channels/${channel.id}/join`))
  await browser.after(() => bob.say(channel.id, 'here I am'))
  browser.close()
})
