import { beforeAll, expect, test } from 'vitest'
import { type ServerEvent, serverEvents } from '#contract/events'
import { openDatabase } from '../../db/database.ts'
import { createWriter } from '../../messages/writer.ts'
import { type Cast, conversation, type Kind, people, type World } from '../support/fixture.ts'
import type { Listener, Person } from '../support/parley.ts'

// Every event × everyone who could onMessage it, of a private, a direct and a public conversation: who hears it, by name.

let cast: Cast

beforeAll(async () => {
  cast = await people()
})

/** Ada owns it, Bob is in it (twice connected, once looking at it), Cyd was, Eve never, Root owns the workspace. */
const names = ['ada', 'bob', 'cyd', 'eve', 'root'] as const
type Name = (typeof names)[number]

const everyone: Name[] = ['ada', 'bob', 'cyd', 'eve', 'root']
const members: Name[] = ['ada', 'bob']

interface Scene {
  world: World
  at: (name: Name) => Person
  /** Says over Bob's socket. */
  says: (event: string, payload: unknown) => void
}

interface Part {
  act: (scene: Scene) => Promise<unknown> | unknown
  /** Which event of what it causes is meant. */
  is?: (payload: never, scene: Scene) => boolean
  hearers: Partial<Record<Kind, Name[]>>
}

const inWorld = (payload: never, { world }: Scene) => (payload as { channelId: string }).channelId === world.channelId
const ofMembers = { private: members, direct: members, public: members }
const ofAll = { private: members, public: everyone }

const parts: Record<Exclude<ServerEvent, 'auth:token_expired'>, Part> = {
  ready: { act: () => {}, is: () => true, hearers: { private: everyone } },
  'channel:created': {
    act: ({ at, world }) =>
      world.kind === 'direct'
        ? at('ada').post('/api/direct-messages', { userIds: [at('bob').id] })
        : at('ada').post('/api/channels', {
            name: `made ${world.kind}`,
            isPrivate: world.kind === 'private',
            members: [at('bob').id],
          }),
    is: (payload, { world }) => (payload as { kind: string }).kind === world.kind,
    hearers: { private: members, direct: members, public: everyone },
  },
  'channel:updated': {
    act: ({ at, world }) => at('ada').patch(`/api/channels/${world.channelId}`, { topic: 'another' }),
    is: (payload, { world }) => (payload as { id: string }).id === world.channelId,
    hearers: ofAll,
  },
  'channel:member_joined': {
    act: ({ at, world }) => at('bob').post(`/api/channels/${world.channelId}/invite`, { userId: cast.gus.id }),
    hearers: ofAll,
  },
  'channel:member_left': {
    act: ({ at, world }) => at('ada').post(`/api/channels/${world.channelId}/remove-member`, { userId: cast.gus.id }),
    hearers: ofAll,
  },
  'message:created': { act: ({ at, world }) => at('ada').say(world.channelId, '@bob @eve hi'), hearers: ofMembers },
  'message:updated': {
    act: ({ at, world }) => at('bob').put(`/api/messages/${world.messageId}`, { content: 'again' }),
    hearers: ofMembers,
  },
  'thread:message_created': {
    act: ({ at, world }) =>
      at('ada').post('/api/threads/messages', { parentMessageId: world.messageId, content: '@bob' }),
    hearers: ofMembers,
  },
  'reaction:added': {
    act: ({ at, world }) => at('ada').post(`/api/messages/${world.messageId}/reactions`, { emoji: '🎉' }),
    hearers: ofMembers,
  },
  'reaction:removed': {
    act: ({ at, world }) => at('ada').delete(`/api/messages/${world.messageId}/reactions/${encodeURIComponent('🎉')}`),
    hearers: ofMembers,
  },
  'channel:rev': { act: ({ at, world }) => storeUntold(world.channelId, at('ada').id), hearers: ofMembers },
  // Heard by those who look at it; Bob looks, but does not onMessage himself.
  typing: {
    act: ({ says, world }) => says('typing', { channelId: world.channelId }),
    hearers: { private: ['ada'], direct: ['ada'], public: ['ada'] },
  },
  'assistant:progress': {
    act: ({ at, world }) => at('ada').say(world.channelId, '@assistant-bot what was said?'),
    hearers: ofMembers,
  },
  'channel:read': {
    act: ({ at, world }) => at('bob').put(`/api/channels/${world.channelId}/read`, { seq: 1 }),
    hearers: { private: ['bob'], direct: ['bob'], public: ['bob'] },
  },
  'channel:muted': {
    act: ({ at, world }) => at('bob').put(`/api/channels/${world.channelId}/mute`, {}),
    hearers: { private: ['bob'], direct: ['bob'], public: ['bob'] },
  },
  'thread:read': {
    act: ({ at, world }) => at('bob').put(`/api/threads/${world.messageId}/read`, { seq: 1 }),
    hearers: { private: ['bob'], direct: ['bob'], public: ['bob'] },
  },
  'message:deleted': {
    act: ({ at, world }) => at('bob').delete(`/api/messages/${world.messageId}`),
    hearers: ofMembers,
  },
  'channel:joined': {
    act: ({ says, world }) => says('channel:join', world.channelId),
    hearers: { private: ['bob'], direct: ['bob'], public: ['bob'] },
  },
  'channel:error': {
    act: ({ says }) => says('channel:join', 'not an id'),
    is: () => true,
    hearers: { private: ['bob'] },
  },
  'user:status_changed': {
    act: ({ at, world }) => at('bob').put('/api/users/status', { user_status: world.kind === 'private' ? '🌴' : '🚲' }),
    is: (payload) => /🌴|🚲/u.test(JSON.stringify(payload)),
    // They all share #general.
    hearers: { private: everyone },
  },
  'user:updated': {
    act: ({ at }) => at('bob').patch('/api/users/me', { name: 'Robert' }),
    is: () => true,
    hearers: { private: everyone },
  },
  'channel:left': {
    act: ({ at, world }) => at('bob').post(`/api/channels/${world.channelId}/leave`),
    hearers: { private: ['bob'], public: ['bob'] },
  },
  'channel:deleted': {
    act: ({ at, world }) => at('ada').delete(`/api/channels/${world.channelId}`),
    // Bob has left.
    hearers: { private: ['ada'], public: everyone },
  },
}

test.each(['private', 'direct', 'public'] as const)('who hears what of a %s conversation', async (kind) => {
  const world = await conversation(cast, kind)
  const listeners = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await cast[name].listen()] as const)),
  ) as Record<Name, Listener>
  const scene: Scene = {
    world,
    at: (name) => cast[name],
    says: (event, payload) => listeners.bob.socket.emit(event, payload),
  }
  for (const name of ['ada', 'bob'] as const) {
    listeners[name].socket.emit('channel:join', world.channelId)
    await listeners[name].hears('channel:joined')
  }
  for (const [name, { act, is = inWorld, hearers }] of Object.entries(parts)) {
    const event = name as ServerEvent
    const expected = hearers[kind]
    if (!expected) continue
    const counts = Object.fromEntries(names.map((it) => [it, event === 'ready' ? 0 : listeners[it].heard.length]))
    await act(scene)
    const heard = (it: Name) =>
      listeners[it].heard.slice(counts[it]).some((told) => told.event === event && is(told.payload as never, scene))
    for (const it of expected) await expect.poll(() => heard(it), { message: `${it} hears ${event}` }).toBe(true)
    // What comes after it is heard by all, so nobody was only slow.
    await marker(listeners)
    expect([event, names.filter(heard)]).toEqual([event, expected])
  }
  for (const { socket } of Object.values(listeners)) socket.close()
})

test('every event of the contract has a row', () => {
  // The expired token is in identity.test.ts.
  expect([...Object.keys(parts), 'auth:token_expired'].sort()).toEqual(Object.keys(serverEvents).sort())
})

test('every socket request is authorized anew, by the user’s current rights', async () => {
  const { ada, cyd, eve, root } = cast
  const world = await conversation(cast, 'private')
  const adas = await ada.listen()
  adas.socket.emit('channel:join', world.channelId)
  await adas.hears('channel:joined')
  for (const person of [cyd, eve, root]) {
    const { socket, heard, hears } = await person.listen()
    for (const [event, payload] of [
      ['channel:join', world.channelId],
      ['typing', { channelId: world.channelId }],
      ['channel:leave', world.channelId],
    ] as const) {
      const before = heard.length
      socket.emit(event, payload)
      await expect.poll(() => heard.slice(before).map((it) => it.event)).toContain('channel:error')
      expect(await hears('channel:error')).toEqual({ error: 'Channel not found' })
    }
    await ada.say(world.channelId, 'not for them')
    await adas.hears('message:created', ({ content }) => content === 'not for them')
    await marker({ theirs: { heard, hears } as Listener })
    expect(JSON.stringify(heard)).not.toContain(world.channelId)
  }
  expect(adas.all('typing')).toEqual([])
})

test.each([null, 7, '', 'x'.repeat(60_000), [], {}, { channelId: null }, { channelId: ['a'] }, '../x', -1])(
  'nonsense over a socket (%j) is an error to its sender, and the socket goes on',
  async (nonsense) => {
    const { socket, hears, heard } = await cast.eve.listen()
    for (const event of ['channel:join', 'channel:leave', 'typing']) {
      const before = heard.length
      // Who came and went before is told a little later.
      const answers = () => heard.slice(before).flatMap((it) => (it.event === 'user:status_changed' ? [] : it.event))
      socket.emit(event, nonsense)
      await expect.poll(answers).toEqual(['channel:error'])
    }
    socket.emit('status:update', nonsense)
    socket.emit('no such event', nonsense)
    socket.emit('channel:join', (await cast.eve.get('/api/channels')).body.channels[0].id)
    await hears('channel:joined')
    socket.close()
  },
)

let marks = 0
/** Says something that all onMessage, and waits until they have. */
async function marker(listeners: Record<string, Listener>) {
  const { body } = await cast.ada.post('/api/channels', { name: `marker ${marks++}` })
  await Promise.all(Object.values(listeners).map((it) => it.hears('channel:created', ({ id }) => id === body.id)))
}

/** Stores a message as a server does that dies before it tells. */
async function storeUntold(channelId: string, userId: string) {
  const database = openDatabase(cast.databaseUrl, { onError: () => {} })
  const writer = createWriter({ ...database, log: cast.app.log, publish: async () => {} })
  await writer.send({ channelId, userId, content: 'untold', clientId: null })
  await database.db.destroy()
}
