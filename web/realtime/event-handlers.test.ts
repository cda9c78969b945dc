import { EventEmitter } from 'node:events'
import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Profile } from '#contract/users'
import { allChannels, channelById } from '../features/channels/cache/channel-queries.ts'
import { firstSteps } from '../features/channels/cache/first-steps.ts'
import { openHandover } from '../features/identity/handover/handover-queries.ts'
import { doneLater, savedMessages } from '../features/messages/sync/later-queries.ts'
import { messagesIn } from '../features/messages/sync/message-queries.ts'
import { quotedMessage } from '../features/messages/sync/quoted-messages.ts'
import { myScheduled } from '../features/messages/sync/scheduled-queries.ts'
import { typingIn } from '../features/messages/sync/typing-users.ts'
import { allUsers } from '../people/user-queries.ts'
import { onSessionEnd, setSessionUser } from '../session/session.ts'
import type { ChatSocket } from '../socket/socket-context.ts'
import { aChannel } from '../test/a-channel.ts'
import { aMessage } from '../test/a-message.ts'
import { knownPicture, notePictures } from '../ui/pictures.ts'
import { applyEvents } from './open-connection.ts'

const LATER = {
  id: 'a',
  messageId: 'm',
  text: null,
  rev: 1,
  createdAt: '',
  dueAt: null,
  remindedAt: null,
  doneAt: null,
}
const TOKEN = `header.${btoa(JSON.stringify({ sub: 'bob', exp: Date.now() / 1000 + 3600 }))}.signature`

let client: QueryClient
let end: () => void
let fetched: string[]
let receive: (event: string, payload: object) => void

/** Bob's cache, which receives the test's events. No time passes, so that no typing sign expires. */
beforeEach(() => {
  vi.useFakeTimers()
  setSessionUser('bob')
  // Fetches caused by events are never answered.
  fetched = []
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/auth/token') return Response.json({ token: TOKEN })
    fetched.push(path)
    return new Promise(() => {})
  })
  client = new QueryClient()
  client.setQueryData(allChannels.queryKey, { c: aChannel({ rev: 0 }) })
  const heard = new EventEmitter()
  const socket = Object.assign(heard, { onAnyOutgoing: () => {} })
  end = applyEvents(client, socket as unknown as ChatSocket, 'bob')
  receive = (event, payload) => void heard.emit(event, payload)
})
afterEach(() => {
  end()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('each connection checks the session, the first one too: rights may have changed since the page was loaded', async () => {
  let checks = 0
  const unwatch = onSessionEnd(() => checks++)
  for (const connections of [1, 2, 3]) {
    receive('ready', { epoch: 'one', peopleVersion: 1, language: null })
    expect(checks).toBe(connections)
  }
  // What is fetched as well begins before the test ends.
  await vi.advanceTimersByTimeAsync(0)
  unwatch()
})

const people = ['ada', 'eve'].map((id) => ({ id, username: id, name: id }))
function allType(threadId: string | null) {
  for (const user of people) receive('typing', { channelId: 'c', threadId, user })
}
const typing = (threadId: string | null = null) =>
  client.getQueryData(typingIn('c', threadId).queryKey)?.map(({ user }) => user.id)

test('the author of a message is no longer shown as typing in the channel, but still in its threads', () => {
  allType(null)
  allType('t')
  expect(typing()).toEqual(['ada', 'eve'])
  receive('message:created', aMessage(1))
  expect(typing()).toEqual(['eve'])
  expect(typing('t')).toEqual(['ada', 'eve'])
})

test('the author of a reply is no longer shown as typing in that thread, but still everywhere else', () => {
  allType(null)
  allType('t')
  allType('another')
  receive('thread:message_created', aMessage(1, { threadId: 't' }))
  expect(typing('t')).toEqual(['eve'])
  expect(typing('another')).toEqual(['ada', 'eve'])
  expect(typing()).toEqual(['ada', 'eve'])
})

test('the sidebar and the windows wait for a lost event in parallel, and then fetch missed changes', async () => {
  client.setQueryData(messagesIn('c').queryKey, { messages: [], hasOlder: false, hasNewer: false, rev: 0 })
  receive('message:created', aMessage(2, { rev: 2 }))
  await vi.advanceTimersByTimeAsync(99)
  expect(fetched).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(fetched).toEqual(['/api/channels/c', '/api/channels/c/changes?after=0'])
})

test('a revision that an older database never reaches is fetched once', async () => {
  receive('channel:rev', { channelId: 'c', rev: 50, seq: 50 })
  await vi.advanceTimersByTimeAsync(100)
  for (const seq of [1, 2]) {
    receive('message:created', aMessage(seq))
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(fetched).toEqual(['/api/channels/c'])
})

test('a revision announced while the list of channels loads causes a fetch if the list is older', async () => {
  client.removeQueries(allChannels)
  receive('channel:joined', { channelId: 'c', rev: 5 })
  await vi.advanceTimersByTimeAsync(50)
  client.setQueryData(allChannels.queryKey, { c: aChannel({ rev: 4 }) })
  await vi.advanceTimersByTimeAsync(500)
  expect(fetched).toEqual(['/api/channels/c'])
})

test('joining the channel on screen fetches it once', async () => {
  client.setQueryData(allChannels.queryKey, {})
  client.setQueryData(channelById('c').queryKey, aChannel({ rev: 4, isMember: false }))
  const user = { id: 'bob', username: 'bob', name: 'Bob' }
  receive('channel:member_joined', { channelId: 'c', rev: 5, memberCount: 2, user })
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetched.filter((path) => path === '/api/channels/c')).toHaveLength(1)
})

test('after a restored backup, the first message in a channel does not cause a fetch of the channel', async () => {
  const ready = { peopleVersion: 1, language: null }
  receive('ready', { ...ready, epoch: 'one' })
  receive('message:created', aMessage(1))
  receive('message:created', aMessage(2))
  receive('ready', { ...ready, epoch: 'another' })
  client.setQueryData(allChannels.queryKey, { c: aChannel({ rev: 0 }) })
  fetched = []
  receive('message:created', aMessage(1))
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetched).not.toContain('/api/channels/c')
})

test('a new connection forgets the pictures of people beyond the directory, which may have changed meanwhile', () => {
  client.setQueryData(allUsers.queryKey, [{ id: 'ada' } as Profile])
  notePictures(['ada', 'zoe'].map((id) => ({ id, avatarUrl: '/256' })))
  receive('ready', { peopleVersion: 1, language: null, epoch: 'one' })
  expect([knownPicture('ada'), knownPicture('zoe')]).toEqual(['/256', undefined])
})

describe('the step to say hello', () => {
  const hasWritten = () => client.getQueryData(firstSteps.queryKey)?.hasWritten
  const mine = { userId: 'bob', clientId: 'k' }
  beforeEach(() => {
    client.setQueryData(allChannels.queryKey, { c: aChannel({ rev: 0, isGeneral: true }), d: aChannel({ id: 'd' }) })
    client.setQueryData(firstSteps.queryKey, { hasWritten: false, hasJoined: false, hasCompany: true })
  })

  test.each([
    ['message', 'message:created', aMessage(1, mine)],
    ['reply', 'thread:message_created', aMessage(1, { ...mine, threadId: 't' })],
  ])('is done by my first %s in #general', (_, event, message) => {
    receive(event, message)
    expect(hasWritten()).toBe(true)
  })

  test.each([
    ["somebody else's", aMessage(1, { ...mine, userId: 'ada' })],
    ['one in another channel', aMessage(1, { ...mine, channelId: 'd' })],
    ['one that says that I joined', aMessage(1, { ...mine, clientId: null })],
  ])('is not done by %s', (_, message) => {
    receive('message:created', message)
    expect(hasWritten()).toBe(false)
  })
})

test('after an update by a node of the previous version, which leaves out who is named, the channel is fetched', async () => {
  client.setQueryData(allChannels.queryKey, { c: aChannel({ rev: 1, posting: 'admins', posters: [], isMember: true }) })
  const { posters: _, isMember: __, ...facts } = aChannel({ rev: 2, posting: 'admins' })
  receive('channel:updated', facts)
  await vi.advanceTimersByTimeAsync(100)
  expect(fetched).toContain('/api/channels/c')
})

test('a page whose session has an older name of the workspace checks it again', () => {
  let checks = 0
  const checksOf = (event: string, payload: object) => {
    checks = 0
    receive(event, payload)
    return checks
  }
  const unwatch = onSessionEnd(() => checks++)
  setSessionUser('bob', { workspaceName: 'Acme' })
  expect(checksOf('workspace:renamed', { name: 'Acme' })).toBe(0)
  expect(checksOf('workspace:renamed', { name: 'Other' })).toBe(1)
  unwatch()
})

test.each([
  ['later:changed', LATER, doneLater.queryKey],
  ['later:removed', { id: 'a' }, doneLater.queryKey],
  ['later:changed', { ...LATER, id: 'b' }, savedMessages(['m']).queryKey],
  ['scheduled:changed', {}, myScheduled.queryKey],
  ['permissions:changed', {}, ['notification-settings']],
  ['permissions:changed', {}, quotedMessage('m').queryKey],
  ['handover:changed', {}, openHandover.queryKey],
] as const)(
  '%s during the first fetch of what it changes fetches that again: the response may be older',
  async (event, payload, queryKey) => {
    const answers: ((data: string) => void)[] = []
    const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve))
    const observer = new QueryObserver<string, Error, string, string, QueryKey>(client, { queryKey, queryFn })
    const forget = observer.subscribe(() => {})
    receive(event, payload)
    await vi.advanceTimersByTimeAsync(0)
    answers[0]?.('older')
    await vi.advanceTimersByTimeAsync(0)
    answers[1]?.('newer')
    await vi.advanceTimersByTimeAsync(0)
    expect(observer.getCurrentResult().data).toBe('newer')
    forget()
  },
)
