import { beforeAll, expect, test } from 'vitest'
import { calls } from '#contract/calls'
import type { AnyEndpoint } from '#contract/endpoint'
import { rows } from '../support/expected-access.ts'
import { type Conversation, createConversation, createPeople, type People } from '../support/fixture.ts'
import { formOf } from '../support/parley.ts'

// Every part of every call is replaced by hostile values: each is rejected as invalid or ignored, but never causes a server
// error, and is never stored by a shared cache.

const all: Record<string, AnyEndpoint> = Object.assign({}, ...Object.values(calls))

let people: People
let conversation: Conversation

beforeAll(async () => {
  people = await createPeople()
  conversation = await createConversation(people, 'private')
})

const values: unknown[] = [
  null,
  true,
  -1,
  1.5,
  2 ** 63,
  '9223372036854775808',
  '',
  '../../etc/passwd',
  "'; drop table messages; --",
  '%00',
  '\u0000',
  '\ud800',
  '\u202egnp.exe',
  'x'.repeat(20_000),
  [],
  [[]],
  {},
  { $ne: '' },
  { toString: 'x' },
  JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}'),
]

interface Input {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Variants of the input: one for each leaf and hostile value. */
function* mutations({ params = {}, query = {}, body }: Input): Generator<Input> {
  for (const value of values) {
    // URLs contain only text.
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    for (const name of Object.keys(params)) yield { params: { ...params, [name]: text }, query, body }
    for (const name of Object.keys(query)) yield { params, query: { ...query, [name]: text }, body }
    if (typeof body !== 'object' || body === null) continue
    for (const name of Object.keys(body)) yield { params, query, body: { ...body, [name]: value } }
    yield { params, query, body: value }
  }
}

async function make(call: AnyEndpoint, { params = {}, query = {}, body }: Input) {
  const part = (name: string) => encodeURIComponent(String(params[name]).toWellFormed())
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => part(name))
  const search = new URLSearchParams(query as Record<string, string>)
  return people.app.inject({
    method: call.method,
    url: search.size > 0 ? `${path}?${search}` : path,
    headers: {
      authorization: `Bearer ${people.bob.token}`,
      ...(body !== undefined && !call.takes && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: call.takes ? formOf(body) : JSON.stringify(body) }),
  })
}

// Calls that would end the conversation use a missing one.
const harmless = Object.entries(rows).filter(([name]) => !/^(leave|deactivate|reactivate)/.test(name))

test.each(harmless)('%s refuses or ignores hostile values', async (name, row) => {
  const call = all[name.split(' ')[0] as string] as AnyEndpoint
  const valid = row.input(conversation, people)
  for (const input of mutations(valid)) {
    const answer = await make(call, input)
    const what = JSON.stringify(input).slice(0, 200)
    expect(answer.statusCode, `${what} → ${answer.body.slice(0, 200)}`).toBeLessThan(500)
    expect(answer.headers['cache-control'], what).toMatch(/^private, no-(store|cache)$/)
    if (answer.statusCode >= 400)
      expect(answer.json().error, what).toMatchObject({ code: expect.any(String), message: expect.any(String) })
    expect(answer.body).not.toMatch(/node_modules|at .*\.ts:\d|select |insert /)
  }
  for (const param of Object.keys(valid.params ?? {}).filter((it) => !['userId', 'emoji', 'name'].includes(it)))
    for (const id of ['x', '-1', '7', `${conversation.channelId}0`, "' or 1=1"])
      expect((await make(call, { ...valid, params: { ...valid.params, [param]: id } })).statusCode).toBe(400)
})

test('unknown fields are ignored: nobody sends, edits or moves a message as somebody else', async () => {
  const { ada, bob, eve } = people
  const elsewhere = await createConversation(people, 'public')
  const sent = await bob.post('/api/messages', {
    channelId: conversation.channelId,
    content: 'mine',
    userId: ada.id,
    user: { id: ada.id },
    id: conversation.messageId,
    seq: 1,
    createdAt: '2000-01-01T00:00:00.000Z',
    mentions: [{ userId: eve.id, username: 'eve' }],
    reactions: { '🎉': [ada.id] },
  })
  expect(sent.body).toMatchObject({ userId: bob.id, user: { username: 'bob' }, mentions: [], reactions: {} })
  expect(sent.body.id).not.toBe(conversation.messageId)
  const edited = await bob.put(`/api/messages/${sent.body.id}`, {
    content: 'still mine',
    channelId: elsewhere.channelId,
    threadId: elsewhere.messageId,
    userId: ada.id,
    createdAt: '2000-01-01T00:00:00.000Z',
    id: elsewhere.messageId,
  })
  const { content, editedAt, updatedAt, rev, ...rest } = edited.body
  expect(content).toBe('still mine')
  expect(sent.body).toMatchObject(rest)
  const assistant = await bob.post('/api/messages', {
    channelId: conversation.channelId,
    content: 'I am the assistant',
    userId: 'assistant-bot',
  })
  expect(assistant.body.userId).toBe(bob.id)
})

test.each([
  ['markup', '<img src=x onerror=alert(1)><svg onload=alert(1)>'],
  ['ReDoS food', `${'*_'.repeat(2000)}${'['.repeat(1000)}${']('.repeat(1000)}`],
  ['ten thousand @', '@'.repeat(10_000)],
  ['mentions without end', '@ada '.repeat(2000)],
  ['backticks', '`'.repeat(9999)],
  ['fences', '```\n'.repeat(2500)],
  ['one long word', 'x'.repeat(10_000)],
  ['newlines', `a${'\n'.repeat(9000)}b`],
  ['right to left, zero width', '\u202eabc\u200b\u200d\ufeff'],
  ['emoji', '👩‍👩‍👧‍👦'.repeat(300)],
])('a message of %s is stored unchanged', async (_, content) => {
  const { bob } = people
  const sent = await bob.post('/api/messages', { channelId: conversation.channelId, content })
  expect(sent).toMatchObject({ status: 201, body: { content: content.trim() } })
  const page = await bob.get(`/api/messages/channel/${conversation.channelId}?limit=1`)
  expect(page.body[0].content).toBe(content.trim())
})

test('broken UTF-8 and broken frames disconnect that socket at most', async () => {
  const { socket } = await people.bob.listen()
  const raw = (socket.io.engine as unknown as { transport: { ws: WebSocket } }).transport.ws
  for (const frame of [
    '42["channel:join","\ufffd\u0000"]',
    '42[',
    '42{}',
    '451-["x",{"_placeholder":true,"num":9}]',
    '4',
  ])
    if (raw.readyState === 1) raw.send(frame)
  const bytes = new Uint8Array([0x34, 0x32, 0xff, 0xfe])
  if (raw.readyState === 1) raw.send(bytes)
  socket.close()
  const again = await people.bob.listen()
  expect(again.socket.connected).toBe(true)
  expect((await people.app.inject({ url: '/healthz' })).statusCode).toBe(200)
})
