import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { holdCommits, untilLockWait } from '../test/support/open-transactions.ts'
import { type Person, startParley } from '../test/support/parley.ts'

// An access check that is stale when it returns never leads to a delivery.

const parley = await startParley()
const { app } = parley
const { ada, bob, secretary } = await parley.people('ada', 'bob', 'secretary')
afterEach(() => vi.restoreAllMocks())

let made = 0
const newChannel = async (isPrivate: boolean, members: Person[] = []): Promise<string> => {
  const body = { name: `moment-${made++}`, isPrivate, members: members.map(({ id }) => id) }
  return (await ada.post('/api/channels', body)).body.id
}
const close = (channelId: string) => ada.patch(`/api/channels/${channelId}`, { isPrivate: true })

interface Target {
  channelId: string
  messageId: string
  epoch: string
}

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Delays the results of a user's access checks, each until its own gate opens. */
function delayAnswers(...gates: Promise<void>[]) {
  const load = app.doors.load.bind(app.doors)
  let checks = 0
  vi.spyOn(app.doors, 'load').mockImplementation(async (key) => {
    if (key.userId !== bob.id) return load(key)
    const answer = await load(key)
    await gates[checks++]
    return answer
  })
  return () => checks
}

/** Sends a message to a channel; the result fetches the events of it that the listener received. */
async function sendProbe(channelId: string, listener: Awaited<ReturnType<Person['listen']>>) {
  const { id } = await ada.say(channelId, 'for members')
  return async () => {
    await ada.post('/api/channels', { name: `after-${id}` })
    await listener.waitFor('channel:created', ({ name }) => name === `after-${id}`)
    return listener.all('message:created').filter((it) => it.id === id)
  }
}

test('a viewer who leaves while the channel becomes private receives nothing more', async () => {
  const channelId = await newChannel(false)
  const bobs = await bob.listen()
  bobs.socket.emit('channel:join', channelId)
  await bobs.waitFor('channel:joined')

  const load = app.doors.load.bind(app.doors)
  const { opened, open } = gate()
  let checks = 0
  vi.spyOn(app.doors, 'load').mockImplementation(async (key) => {
    if (key.userId !== bob.id) return load(key)
    checks++
    await opened
    return load(key)
  })
  bobs.socket.emit('channel:leave', channelId)
  await expect.poll(() => checks).toBe(1)
  expect((await close(channelId)).status).toBe(200)
  open()
  await bobs.waitFor('channel:error')
  const received = await sendProbe(channelId, bobs)
  expect(await received()).toEqual([])
})

test('a failure while a channel becomes private never leaves a viewer subscribed', async () => {
  const channelId = await newChannel(false)
  const bobs = await bob.listen()
  bobs.socket.emit('channel:join', channelId)
  await bobs.waitFor('channel:joined')

  const { query } = pg.Client.prototype
  let failures = 0
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string }]
    const text = typeof statement === 'string' ? statement : (statement.text ?? '')
    if (failures === 0 && /left join "memberships".*= any\(\$\d+::text\[\]\)/.test(text)) {
      failures++
      return Promise.reject(new Error('Query read timeout'))
    }
    return Reflect.apply(query, this, args)
  })
  while ((await close(channelId)).status !== 200);
  const received = await sendProbe(channelId, bobs)
  expect([failures, await received()]).toEqual([1, []])
})

test('a viewer whose access check predates the channel becoming private is not subscribed', async () => {
  const channelId = await newChannel(false)
  const bobs = await bob.listen()
  const [first, second] = [gate(), gate()]
  const checks = delayAnswers(first.opened, second.opened)
  bobs.socket.emit('channel:join', channelId)
  await expect.poll(checks).toBe(1)
  expect((await close(channelId)).status).toBe(200)
  first.open()
  await expect.poll(checks).toBe(2)
  const received = await sendProbe(channelId, bobs)
  second.open()
  await bobs.waitFor('channel:error')
  expect(await received()).toEqual([])
})

test('a user who connects during their removal receives nothing sent after it', async () => {
  const [left, kept] = [await newChannel(true, [bob]), await newChannel(true, [bob])]
  const query = app.pool.query.bind(app.pool)
  const gates = [gate(), gate()]
  let checks = 0
  vi.spyOn(app.pool, 'query').mockImplementation(async (...args: unknown[]) => {
    const answer = await Reflect.apply(query, app.pool, args)
    if ((args[0] as { name?: string }).name === 'ready') await gates[checks++]?.opened
    return answer
  })
  const coming = bob.listen()
  await expect.poll(() => checks).toBe(1)
  expect((await ada.post(`/api/channels/${left}/remove-member`, { userId: bob.id })).status).toBe(200)
  gates[0]?.open()
  await expect.poll(() => checks).toBe(2)
  const { id } = await ada.say(left, 'not for bob')
  gates[1]?.open()
  const bobs = await coming
  const { id: last } = await ada.say(kept, 'for bob')
  await bobs.waitFor('message:created', (it) => it.id === last)
  expect(bobs.all('message:created').map((it) => it.id)).not.toContain(id)
})

test.each([
  ['A page', ({ channelId }: Target) => bob.get(`/api/messages/channel/${channelId}`)],
  ['A thread', ({ messageId }: Target) => bob.get(`/api/threads/${messageId}/messages`)],
  ['The changes', ({ channelId }: Target) => bob.get(`/api/channels/${channelId}/changes?after=1`)],
  [
    'A sync of all channels',
    ({ channelId, epoch }: Target) => bob.post('/api/sync', { epoch, revs: { [channelId]: 1 } }),
  ],
])('%s queued during its reader’s removal reveals nothing sent since', async (_, read) => {
  const { epoch } = await app.db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()
  const channelId = await newChannel(true, [bob])
  const { id: messageId } = await ada.say(channelId, 'for bob')
  const reply = (content: string) => ada.post('/api/threads/messages', { parentMessageId: messageId, content })
  await reply('for bob, too')
  const { opened, open } = gate()
  const checks = delayAnswers(opened)
  const answer = read({ channelId, messageId, epoch })
  await expect.poll(checks).toBe(1)
  expect((await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })).status).toBe(200)
  await ada.say(channelId, 'a secret')
  await reply('a secret')
  open()
  expect(JSON.stringify((await answer).body)).not.toContain('secret')
})

test.each([
  ['A channel', ({ channelId }: Target) => bob.get(`/api/channels/${channelId}`)],
  ['The member list', ({ channelId }: Target) => bob.get(`/api/channels/${channelId}/members`)],
  ['The file list', ({ channelId }: Target) => bob.get(`/api/files/channel/${channelId}`)],
  ['The reactions', ({ messageId }: Target) => bob.get(`/api/messages/${messageId}/reactions`)],
])('%s requested during its reader’s removal reveals nothing done since', async (_, read) => {
  const channelId = await newChannel(true, [bob])
  const { id: messageId } = await ada.say(channelId, 'for bob')
  const { opened, open } = gate()
  const checks = delayAnswers(opened)
  const answer = read({ channelId, messageId, epoch: '' })
  await expect.poll(checks).toBe(1)
  expect((await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })).status).toBe(200)
  expect((await ada.patch(`/api/channels/${channelId}`, { topic: 'a secret' })).status).toBe(200)
  expect((await ada.post(`/api/channels/${channelId}/invite`, { userId: secretary.id })).status).toBe(200)
  expect((await ada.upload(channelId, 'secret.txt')).status).toBe(201)
  expect((await secretary.post(`/api/messages/${messageId}/reactions`, { emoji: '🤫' })).status).toBe(200)
  open()
  expect(JSON.stringify((await answer).body)).not.toContain('secret')
})

test.each([
  ['A cursor', (id: string) => bob.get(`/api/threads/${id}/cursor`)],
  ['A read', (id: string) => bob.put(`/api/threads/${id}/read`, { seq: 1 })],
  ['A follow', (id: string) => bob.put(`/api/threads/${id}/follow`, {})],
])('%s of a thread requested during its reader’s removal does not count later replies', async (_, request) => {
  const channelId = await newChannel(true, [bob])
  const { id } = await bob.say(channelId, 'a question')
  const reply = (content: string) => ada.post('/api/threads/messages', { parentMessageId: id, content })
  await reply('for bob, too')
  const { opened, open } = gate()
  const checks = delayAnswers(opened)
  const answer = request(id)
  await expect.poll(checks).toBe(1)
  expect((await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })).status).toBe(200)
  expect((await reply('for members')).status).toBe(201)
  open()
  expect((await answer).status).toBe(404)
})

test.each([
  [
    'is removed',
    true,
    'memberships',
    (id: string) => ada.post(`/api/channels/${id}/remove-member`, { userId: bob.id }),
  ],
  ['visits a channel that becomes private', false, 'channels', close],
] as const)(
  'a user who %s by a change that timed out but was committed receives no later messages',
  async (_, isPrivate, table, change) => {
    const channelId = await newChannel(isPrivate, isPrivate ? [bob] : [])
    const bobs = await bob.listen()
    bobs.socket.emit('channel:join', channelId)
    await bobs.waitFor('channel:joined')
    const { release } = await holdCommits(parley.databaseUrl, table)
    expect((await change(channelId)).status).toBe(503)
    const sending = ada.say(channelId, 'for members')
    await untilLockWait(parley.databaseUrl, 'send_messages')
    await release()
    // It may have timed out on a slow machine.
    const { id } = (await sending).id ? await sending : await ada.say(channelId, 'for members')
    await ada.post('/api/channels', { name: `after-${id}` })
    await bobs.waitFor('channel:created', ({ name }) => name === `after-${id}`)
    expect(bobs.all('message:created').filter((it) => it.id === id)).toEqual([])
  },
)
