import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Availability } from '#contract/availability'
import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { joinQuotes, quoteOf } from '#contract/quotes'
import type { Profile } from '#contract/users'
import { setMyGroups, setMyKeywords, setPageIdle } from '../cache/means-me.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { quotedMessage } from '../features/messages/sync/quoted-messages.ts'
import { onNotification } from '../features/notifications/notification-bus.ts'
import { myThreads, threadCursor } from '../features/threads/thread-queries.ts'
import { myAvailability } from '../features/users/availability-queries.ts'
import { allUsers } from '../people/user-queries.ts'
import { setSessionUser } from '../session/session.ts'
import { aChannel } from '../test/a-channel.ts'
import { aMessage } from '../test/a-message.ts'
import { plainText } from '../ui/format/plain-text.ts'
import { notifyMe } from './notify-me.ts'

const ME = 'bob'
const CHANNEL_ID = '00000000-0000-4000-8000-000000000001'
const MESSAGE_ID = '00000000-0000-4000-8000-000000000002'
const called = { mentions: [{ userId: ME, username: 'bob' }] }
let client: QueryClient
let titles: string[]
let texts: string[]
let reasons: (string | undefined)[]
let end: () => void

beforeEach(() => {
  client = new QueryClient()
  titles = []
  texts = []
  reasons = []
  end = onNotification({
    onNotify({ title, content, reason }) {
      titles.push(title)
      texts.push(content)
      reasons.push(reason)
    },
    onRead: () => {},
  })
  setMyGroups([])
  isMine({ availability: 'active', quietUntil: null })
})
afterEach(() => end())

/** The title of Bob's notification of a message in a channel, if any. */
async function titleOf(message: Partial<Message>, channel: Partial<Channel> = {}) {
  titles = []
  client.setQueryData(allChannels.queryKey, { c: aChannel(channel) })
  const isNotified = await notifyMe(client, aMessage(2, message), ME)
  expect(titles).toHaveLength(isNotified ? 1 : 0)
  return titles[0]
}

const isMine = (availability: Availability) => client.setQueryData(myAvailability.queryKey, availability)

test('mentions of me, my groups or everyone, and direct messages notify; other messages do not', async () => {
  expect(await titleOf({})).toBeUndefined()
  expect(await titleOf(called)).toBe('Ada in #talk')
  expect(await titleOf({ broadcast: 'channel' })).toBe('Ada in #talk')
  const group = { mentions: [{ userId: 'designers', username: 'design', isGroup: true }] } as Partial<Message>
  expect(await titleOf(group)).toBeUndefined()
  setMyGroups(['designers'])
  expect(await titleOf(group)).toBe('Ada in #talk')
  expect(await titleOf({}, { kind: 'direct', members: [{ id: 'ada' }, { id: ME }] as Profile[] })).toBe('Ada')
})

test('a keyword of mine notifies and is named, unless the message mentions me anyway', async () => {
  await setMyKeywords(['On call'])
  expect(await titleOf({ content: 'who is on call?' })).toBe('Ada in #talk')
  expect(await titleOf({ content: 'on call', ...called })).toBe('Ada in #talk')
  expect(reasons).toEqual(['Your keyword “On call”', 'You were mentioned'])
  expect(await titleOf({ content: 'on calls' })).toBeUndefined()
  for (const userId of [ME, ASSISTANT]) expect(await titleOf({ content: 'on call', userId })).toBeUndefined()
  expect(await titleOf({ content: 'on call' }, { notificationLevel: 'nothing' })).toBeUndefined()
  await setMyKeywords([])
  expect(await titleOf({ content: 'on call' })).toBeUndefined()
})

test('my own messages, muted channels and channels that I am not in do not notify', async () => {
  expect(await titleOf({ ...called, userId: ME })).toBeUndefined()
  expect(await titleOf(called, { muted: true })).toBeUndefined()
  expect(await titleOf(called, { isMember: false })).toBeUndefined()
})

test('a reply notifies in a thread that I follow, or if it mentions me by name', async () => {
  client.setQueryDefaults(myThreads.queryKey, { staleTime: Number.POSITIVE_INFINITY })
  client.setQueryData(myThreads.queryKey, [])
  const reply = { threadId: 't', broadcast: 'channel' } as const
  expect(await titleOf(reply)).toBeUndefined()
  expect(await titleOf({ ...called, threadId: 't' })).toBe('Ada in #talk (thread)')
  client.setQueryData(myThreads.queryKey, [{ threadId: 't' }] as never)
  expect(await titleOf(reply)).toBe('Ada in #talk (thread)')
  expect(await titleOf({ threadId: 't' })).toBe('Ada in #talk (thread)')
  expect(reasons.at(-1)).toBe('You follow this thread')
  expect(await titleOf({ threadId: 't' }, { notificationLevel: 'nothing' })).toBeUndefined()
})

test('a reply notifies in a thread beyond the end of the list of threads that I follow', async () => {
  client.setQueryDefaults(threadCursor('t').queryKey, { staleTime: Number.POSITIVE_INFINITY })
  const full = Array.from({ length: limits.page.max }, (_, i) => ({ threadId: `other ${i}` }))
  client.setQueryData(myThreads.queryKey, full as never)
  for (const isFollowing of [false, true]) {
    client.setQueryData(threadCursor('t').queryKey, { isFollowing } as never)
    expect(await titleOf({ threadId: 't' })).toBe(isFollowing ? 'Ada in #talk (thread)' : undefined)
  }
})

test('the level of a channel, or else my default, decides what notifies, and the notification says why', async () => {
  expect(await titleOf({}, { notificationLevel: 'everything' })).toBe('Ada in #talk')
  expect(await titleOf(called, { notificationLevel: 'everything' })).toBe('Ada in #talk')
  expect(reasons).toEqual(['Every message notifies you here', 'You were mentioned'])
  expect(await titleOf(called, { notificationLevel: 'nothing' })).toBeUndefined()
  setSessionUser(ME, { notificationLevel: 'everything' })
  expect(await titleOf({})).toBe('Ada in #talk')
  expect(await titleOf({}, { notificationLevel: 'mentions' })).toBeUndefined()
  setSessionUser(ME, { notificationLevel: 'nothing' })
  expect(await titleOf(called)).toBeUndefined()
  expect(await titleOf({}, { kind: 'direct', members: [{ id: 'ada' }, { id: ME }] as Profile[] })).toBe('Ada')
  expect(reasons.at(-1)).toBeUndefined()
  setSessionUser(undefined)
})

test('@here means me unless I am away, invisible or idle', async () => {
  const here = { broadcast: 'here' } as const
  const isListed = (of: Partial<Profile>) => client.setQueryData(allUsers.queryKey, [{ id: ME, ...of } as Profile])
  expect(await titleOf(here)).toBe('Ada in #talk')
  for (const availability of ['away', 'invisible'] as const) {
    isMine({ availability, quietUntil: null })
    expect(await titleOf(here)).toBeUndefined()
    expect(await titleOf({ broadcast: 'channel' })).toBe('Ada in #talk')
    expect(await titleOf({ ...called, ...here })).toBe('Ada in #talk')
  }
  isMine({ availability: 'active', quietUntil: null })
  isListed({ isIdle: true })
  // The event that I am back is still to come.
  expect(await titleOf(here)).toBe('Ada in #talk')
  setPageIdle(true)
  expect(await titleOf(here)).toBeUndefined()
  // I am at another device.
  isListed({})
  expect(await titleOf(here)).toBe('Ada in #talk')
  setPageIdle(false)
})

test('do not disturb suppresses notifications until it ends', async () => {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  for (const availability of ['quiet', 'away', 'invisible'] as const) {
    isMine({ availability, quietUntil: inMinutes(5) })
    expect(await titleOf(called), availability).toBeUndefined()
    isMine({ availability, quietUntil: inMinutes(-5) })
    expect(await titleOf(called), availability).toBe('Ada in #talk')
    isMine({ availability, quietUntil: null })
    expect(await titleOf(called), availability).toBe('Ada in #talk')
  }
})

test('an availability that is unknown or can’t be refetched does not swallow a notification', async () => {
  client.removeQueries({ queryKey: myAvailability.queryKey })
  expect(await titleOf(called)).toBe('Ada in #talk')
  isMine({ availability: 'quiet', quietUntil: new Date(Date.now() + 300_000).toISOString() })
  await client.invalidateQueries({ queryKey: myAvailability.queryKey })
  expect(await titleOf(called)).toBeUndefined()
})

test('a message that only quotes another notifies of what that says, and not again of a reply that did', async () => {
  client.setQueryDefaults(myThreads.queryKey, { staleTime: Number.POSITIVE_INFINITY })
  client.setQueryData(myThreads.queryKey, [])
  const direct = { kind: 'direct', members: [{ id: 'ada' }, { id: ME }] as Profile[] } as const
  const place = { channelId: CHANNEL_ID, messageId: MESSAGE_ID }
  const forwarded = { content: quoteOf(place, 'Forwarded message') }
  const quoted = (of: Partial<Message>) =>
    client.setQueryData(quotedMessage(MESSAGE_ID).queryKey, aMessage(3, { content: 'the plan', ...of }))
  quoted({})
  await titleOf(forwarded, direct)
  quoted({ deletedAt: '2026-12-01T09:00:00.000Z', content: '' })
  await titleOf(forwarded, direct)
  await titleOf({ content: joinQuotes([forwarded.content], 'see this') }, direct)
  expect(texts.map((text) => plainText(text))).toEqual(['the plan', 'Forwarded message', 'Forwarded message see this'])

  quoted({ threadId: 't' })
  expect(await titleOf(forwarded, direct)).toBe('Ada')
  client.setQueryData(myThreads.queryKey, [{ threadId: 't' }] as never)
  expect(await titleOf(forwarded, direct)).toBeUndefined()
})
