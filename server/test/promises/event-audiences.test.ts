import { beforeAll, describe, expect, test } from 'vitest'
import { type ServerEvent, serverEvents } from '#contract/events'
import { accountEvents } from '../support/account-events.ts'
import {
  type Conversation,
  type ConversationKind,
  createConversation,
  createPeople,
  type People,
} from '../support/fixture.ts'
import { type Listener, listen, type Person, serve, untilPeers } from '../support/parley.ts'
import { storeUntold } from '../support/store-untold.ts'

// Every event × every possible receiver, for a private, a direct and a public conversation: lists its receivers by name, whether
// they are connected to the node where it happens or to another one.

let people: People

/** Ada owns the channel, Bob views it, Cyd left it, Eve never joined, Root owns the workspace; Gil is a guest member, Gem not. */
const names = ['ada', 'bob', 'cyd', 'eve', 'root', 'gil', 'gem'] as const
type Name = (typeof names)[number]

const everyone: Name[] = ['ada', 'bob', 'cyd', 'eve', 'root']
const members: Name[] = ['ada', 'bob', 'gil']
/** Everyone who may see a public channel, or a person in it. */
const known: Name[] = [...everyone, 'gil']
const all: Name[] = [...known, 'gem']

interface Scene {
  conversation: Conversation
  at: (name: Name) => Person
  /** Emits over Bob's listening socket. */
  emit: (event: string, payload: unknown) => void
  /** Emits over another of Bob's sockets, to the node where everything happens. */
  emitThere: (event: string, payload: unknown) => void
}

interface Part {
  act: (scene: Scene) => Promise<unknown> | unknown
  /** Whether an event of this name was caused by `act`. */
  is?: (payload: never, scene: Scene) => boolean
  receivers: Partial<Record<ConversationKind, Name[]>>
}

const inConversation = (payload: never, { conversation }: Scene) =>
  (payload as { channelId: string }).channelId === conversation.channelId
const ofMembers = { private: members, direct: members, public: members }
const ofAll = { private: members, public: known }
/** What a member chooses for a conversation. Flags ignore the body. */
const chosenByBob = (path: string): Part => ({
  act: ({ at, conversation: { channelId } }) =>
    at('bob').put(`/api/channels/${channelId}/${path}`, { level: 'nothing' }),
  receivers: { private: ['bob'], direct: ['bob'], public: ['bob'] },
})

const parts: Record<Exclude<ServerEvent, 'auth:token_expired'>, Part> = {
  ready: { act: () => {}, is: () => true, receivers: { private: all } },
  'channel:created': {
    act: ({ at, conversation }) =>
      conversation.kind === 'direct'
        ? at('ada').post('/api/direct-messages', { userIds: [at('bob').id] })
        : at('ada').post('/api/channels', {
            name: `made ${conversation.kind}`,
            isPrivate: conversation.kind === 'private',
            members: [at('bob').id],
          }),
    is: (payload, { conversation }) => (payload as { kind: string }).kind === conversation.kind,
    receivers: { private: ['ada', 'bob'], direct: ['ada', 'bob'], public: everyone },
  },
  'channel:updated': {
    act: ({ at, conversation }) => at('ada').patch(`/api/channels/${conversation.channelId}`, { topic: 'another' }),
    is: (payload, { conversation }) => (payload as { id: string }).id === conversation.channelId,
    receivers: ofAll,
  },
  'channel:member_joined': {
    act: ({ at, conversation }) =>
      at('bob').post(`/api/channels/${conversation.channelId}/invite`, { userId: people.gus.id }),
    receivers: ofAll,
  },
  'channel:member_left': {
    act: ({ at, conversation }) =>
      at('ada').post(`/api/channels/${conversation.channelId}/remove-member`, { userId: people.gus.id }),
    receivers: ofAll,
  },
  'message:created': {
    act: ({ at, conversation }) => at('ada').say(conversation.channelId, '@bob @eve hi'),
    receivers: ofMembers,
  },
  'message:updated': {
    act: ({ at, conversation }) => at('bob').put(`/api/messages/${conversation.messageId}`, { content: 'again' }),
    receivers: ofMembers,
  },
  'thread:message_created': {
    act: ({ at, conversation }) =>
      at('ada').post('/api/threads/messages', { parentMessageId: conversation.messageId, content: '@bob' }),
    receivers: ofMembers,
  },
  'reaction:added': {
    act: ({ at, conversation }) => at('ada').post(`/api/messages/${conversation.messageId}/reactions`, { emoji: '🎉' }),
    receivers: ofMembers,
  },
  'reaction:removed': {
    act: ({ at, conversation }) =>
      at('ada').delete(`/api/messages/${conversation.messageId}/reactions/${encodeURIComponent('🎉')}`),
    receivers: ofMembers,
  },
  'channel:rev': {
    act: ({ at, conversation }) => storeUntold(people, conversation.channelId, at('ada').id),
    receivers: ofMembers,
  },
  // Viewers receive it, except Bob, who is typing.
  typing: {
    act: ({ emitThere, conversation }) => emitThere('typing', { channelId: conversation.channelId }),
    receivers: { private: ['ada'], direct: ['ada'], public: ['ada'] },
  },
  'assistant:progress': {
    act: ({ at, conversation }) => at('ada').say(conversation.channelId, '@assistant-bot what was said?'),
    receivers: ofMembers,
  },
  'channel:read': {
    act: ({ at, conversation }) => at('bob').put(`/api/channels/${conversation.channelId}/read`, { seq: 1 }),
    receivers: { private: ['bob'], direct: ['bob'], public: ['bob'] },
  },
  'channel:muted': chosenByBob('mute'),
  'channel:favorited': chosenByBob('favorite'),
  'channel:notification_level': chosenByBob('notification-level'),
  'thread:read': {
    act: ({ at, conversation }) => at('bob').put(`/api/threads/${conversation.messageId}/read`, { seq: 1 }),
    receivers: { private: ['bob'], direct: ['bob'], public: ['bob'] },
  },
  'message:deleted': {
    act: ({ at, conversation }) => at('bob').delete(`/api/messages/${conversation.messageId}`),
    receivers: ofMembers,
  },
  'channel:joined': {
    act: ({ emit, conversation }) => emit('channel:join', conversation.channelId),
    receivers: { private: ['bob'], direct: ['bob'], public: ['bob'] },
  },
  'channel:error': {
    act: ({ emit }) => emit('channel:join', 'not an id'),
    is: () => true,
    receivers: { private: ['bob'] },
  },
  'user:status_changed': {
    act: ({ at, conversation }) =>
      at('bob').put('/api/users/status', { user_status: conversation.kind === 'private' ? '🌴' : '🚲' }),
    is: (payload) => /🌴|🚲/u.test(JSON.stringify(payload)),
    // They all share #general, or the channel.
    receivers: { private: known },
  },
  'user:language_changed': {
    act: ({ at, conversation }) =>
      at('bob').patch('/api/users/me', { language: conversation.kind === 'private' ? 'de' : 'fr' }),
    is: () => true,
    receivers: { private: ['bob'] },
  },
  'user:updated': {
    act: ({ at }) => at('bob').patch('/api/users/me', { name: 'Robert' }),
    is: () => true,
    receivers: { private: known },
  },
  'permissions:changed': {
    act: ({ conversation }) =>
      people.root.patch('/api/workspace/permissions', {
        seeEmails: conversation.kind === 'private' ? ['owner'] : ['owner', 'admin'],
      }),
    is: () => true,
    receivers: { private: all },
  },
  'groups:changed': {
    act: ({ conversation }) =>
      people.root.post('/api/groups', { username: `group-${conversation.channelId.slice(-8)}`, name: 'Group' }),
    is: () => true,
    receivers: { private: everyone },
  },
  ...accountEvents,
  'channel:left': {
    act: ({ at, conversation }) => at('bob').post(`/api/channels/${conversation.channelId}/leave`),
    receivers: { private: ['bob'], public: ['bob'] },
  },
  'channel:deleted': {
    act: ({ at, conversation }) => at('ada').delete(`/api/channels/${conversation.channelId}`),
    // Bob has left.
    receivers: { private: ['ada', 'gil'], public: known },
  },
}

describe.each(['the same node', 'another node'])('with listeners on %s', (where) => {
  let address: string

  beforeAll(async () => {
    people = await createPeople()
    address = people.address
    if (where === 'the same node') return
    const other = await serve(people.databaseUrl)
    await untilPeers(people, other)
    address = other.address
  })

  test.each(['private', 'direct', 'public'] as const)(
    'each event of a %s conversation reaches its audience and nobody else',
    async (kind) => {
      const conversation = await createConversation(people, kind)
      const listeners = Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await listen(address, people[name].token)] as const)),
      ) as Record<Name, Listener>
      const bobsOther = await people.bob.listen()
      const scene: Scene = {
        conversation,
        at: (name) => people[name],
        emit: (event, payload) => listeners.bob.socket.emit(event, payload),
        emitThere: (event, payload) => bobsOther.socket.emit(event, payload),
      }
      for (const name of ['ada', 'bob'] as const) {
        listeners[name].socket.emit('channel:join', conversation.channelId)
        await listeners[name].waitFor('channel:joined')
      }
      for (const [name, { act, is = inConversation, receivers }] of Object.entries(parts)) {
        const event = name as ServerEvent
        const expected = receivers[kind]
        if (!expected) continue
        const counts = Object.fromEntries(names.map((it) => [it, event === 'ready' ? 0 : listeners[it].events.length]))
        await act(scene)
        const received = (it: Name) =>
          listeners[it].events.slice(counts[it]).some((it) => it.event === event && is(it.payload as never, scene))
        for (const it of expected)
          await expect.poll(() => received(it), { message: `${it} receives ${event}` }).toBe(true)
        // All listeners receive the marker afterwards, so a missing event is not merely late.
        await marker(listeners)
        expect([event, names.filter(received)]).toEqual([event, expected])
      }
      for (const { socket } of [...Object.values(listeners), bobsOther]) socket.close()
    },
  )
})

test('every event of the contract has a row', () => {
  // identity.test.ts covers the expired token.
  expect([...Object.keys(parts), 'auth:token_expired'].sort()).toEqual(Object.keys(serverEvents).sort())
})

test('every socket request is authorized with the user’s current rights', async () => {
  const { ada, cyd, eve, root } = people
  const conversation = await createConversation(people, 'private')
  const adas = await ada.listen()
  adas.socket.emit('channel:join', conversation.channelId)
  await adas.waitFor('channel:joined')
  for (const person of [cyd, eve, root]) {
    const { socket, events, waitFor } = await person.listen()
    for (const [event, payload] of [
      ['channel:join', conversation.channelId],
      ['typing', { channelId: conversation.channelId }],
      ['channel:leave', conversation.channelId],
    ] as const) {
      const before = events.length
      socket.emit(event, payload)
      await expect.poll(() => events.slice(before).map((it) => it.event)).toContain('channel:error')
      expect(await waitFor('channel:error')).toEqual({ error: 'Channel not found' })
    }
    await ada.say(conversation.channelId, 'not for them')
    await adas.waitFor('message:created', ({ content }) => content === 'not for them')
    await marker({ theirs: { events, waitFor } as Listener })
    expect(JSON.stringify(events)).not.toContain(conversation.channelId)
  }
  expect(adas.all('typing')).toEqual([])
})

test.each([null, 7, '', 'x'.repeat(3_000), [], {}, { channelId: null }, { channelId: ['a'] }, '../x', -1])(
  'an invalid payload over a socket (%j) causes an error event, and the socket stays usable',
  async (nonsense) => {
    const { socket, waitFor, events } = await people.eve.listen()
    for (const event of ['channel:join', 'channel:leave', 'typing']) {
      const before = events.length
      // Presence events of other tests may arrive a little later.
      const answers = () => events.slice(before).flatMap((it) => (it.event === 'user:status_changed' ? [] : it.event))
      socket.emit(event, nonsense)
      await expect.poll(answers).toEqual(['channel:error'])
    }
    socket.emit('status:update', nonsense)
    socket.emit('no such event', nonsense)
    socket.emit('channel:join', (await people.eve.get('/api/channels')).body.channels[0].id)
    await waitFor('channel:joined')
    socket.close()
  },
)

let marks = 0
/** Publishes an event to everyone, and waits until all listeners have received it. */
async function marker(listeners: Record<string, Listener>) {
  const { body } = await people.ada.post('/api/channels', { name: `marker ${marks++}` })
  const { id } = await people.root.say(people.lobbyId, `marker ${marks}`)
  await Promise.all(
    Object.entries(listeners).map(([name, it]) =>
      name === 'gil' || name === 'gem'
        ? it.waitFor('message:created', (message) => message.id === id)
        : it.waitFor('channel:created', (channel) => channel.id === body.id),
    ),
  )
}
