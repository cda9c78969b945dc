import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { isLong } from '../support/long.ts'
import { type Listener, listen, type Person, serve, startParley, untilPeers, urlThrough } from '../support/parley.ts'
import { STATE_TIMEOUT_MS } from '../support/timeouts.ts'

// Nobody receives anything committed after their removal, even if the bus delivers it before the removal. LONG=1 does more
// rounds.
const rounds = isLong ? 200 : 5

/** The node where people listen. */
const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')
/** The node where people are removed; its bus is slow. */
const proxy = await startFaultProxy(`http://${new URL(parley.databaseUrl).host}`)
const slow = await serve(parley.databaseUrl, {}, undefined, undefined, urlThrough(parley.databaseUrl, proxy))
/** The node where others write. */
const third = await serve(parley.databaseUrl)
await untilPeers(parley, slow, third)
proxy.delayBy(200)

/** How long a node relies on its last poll. */
const MAX_AGE_MS = 1000

type Node = Pick<typeof slow, 'app'>

/** A person's request to one of the nodes. */
async function call(
  { app }: Node,
  person: Person,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload = {},
) {
  const response = await app.inject({ method, url, headers: { authorization: `Bearer ${person.token}` }, payload })
  expect(response.statusCode, response.body).toBeLessThan(300)
  return response.body === '' ? undefined : response.json()
}
const say = (node: Node, person: Person, channelId: string, content: string) =>
  call(node, person, 'POST', '/api/messages', { channelId, content })

let made = 0
const make = (isPrivate: boolean, members: Person[]): Promise<Channel> =>
  call(parley, ada, 'POST', '/api/channels', {
    name: `exact-${made++}`,
    isPrivate,
    members: members.map(({ id }) => id),
  })

/** Causes every kind of event of a channel, on the third node and on the listeners' own. */
async function writeSecrets({ id: channelId }: Channel, round: number): Promise<string[]> {
  const text = `secret ${round}`
  const first = await say(third, bob, channelId, text)
  await call(third, bob, 'PUT', `/api/messages/${first.id}`, { content: `${text} edited` })
  await call(third, bob, 'POST', `/api/messages/${first.id}/reactions`, { emoji: '👀' })
  await call(third, bob, 'POST', '/api/threads/messages', { parentMessageId: first.id, content: `${text} reply` })
  const here = await say(parley, bob, channelId, `${text} here`)
  const last = await say(third, bob, channelId, `${text} there`)
  await call(third, ada, 'PATCH', `/api/channels/${channelId}`, { topic: text })
  await call(third, bob, 'DELETE', `/api/messages/${last.id}`)
  return [first.id, here.id, last.id]
}

/** Waits until a member has received everything, and the listener has received a later marker. */
async function untilHeard(member: Listener, listener: Listener, ids: string[], round: number) {
  for (const id of ids) await member.waitFor('message:created', (it) => it.id === id)
  await member.waitFor('channel:updated', ({ topic }) => topic === `secret ${round}`)
  await member.waitFor('message:deleted', (it) => it.id === ids.at(-1))
  const marker = await make(false, [])
  await listener.waitFor('channel:created', (it) => it.id === marker.id)
}

test(`a member removed on a node with a slow bus receives nothing that others write on other nodes, ${rounds} times`, async () => {
  const [bobs, cyds] = [await listen(parley.address, bob.token), await listen(parley.address, cyd.token)]
  for (let round = 0; round < rounds; round++) {
    const channel = await make(round % 2 === 0, [bob, cyd])
    const before = await say(third, bob, channel.id, 'for three')
    await cyds.waitFor('message:created', ({ id }) => id === before.id)
    await call(slow, ada, 'POST', `/api/channels/${channel.id}/remove-member`, { userId: cyd.id })
    const ids = await writeSecrets(channel, round)
    await untilHeard(bobs, cyds, ids, round)
    const rooms = ['message:created', 'message:updated', 'message:deleted', 'reaction:added', 'thread:message_created']
    const heard = cyds.events.filter(({ event }) => rooms.includes(event))
    expect(JSON.stringify(heard)).not.toContain('secret')
    for (const id of ids) expect(JSON.stringify(heard)).not.toContain(id)
  }
  for (const { socket } of [bobs, cyds]) socket.close()
})

test(`a visitor of a channel that becomes private elsewhere receives nothing that others write, ${rounds} times`, async () => {
  const [bobs, eves] = [await listen(parley.address, bob.token), await listen(parley.address, eve.token)]
  for (let round = 0; round < rounds; round++) {
    const channel = await make(false, [bob])
    eves.socket.emit('channel:join', channel.id)
    await eves.waitFor('channel:joined', ({ channelId }) => channelId === channel.id)
    const open = await say(third, bob, channel.id, 'for everyone')
    for (const { waitFor } of [bobs, eves]) await waitFor('message:created', ({ id }) => id === open.id)
    await call(slow, ada, 'PATCH', `/api/channels/${channel.id}`, { isPrivate: true })
    const ids = await writeSecrets(channel, round)
    await untilHeard(bobs, eves, ids, round)
    expect(JSON.stringify(eves.events)).not.toContain('secret')
    for (const id of ids) expect(JSON.stringify(eves.events)).not.toContain(id)
    await eves.waitFor('channel:deleted', ({ channelId }) => channelId === channel.id)
  }
  for (const { socket } of [bobs, eves]) socket.close()
})

test('while its database is unreachable, a node publishes nothing later than a removal before it applied the removal', async () => {
  const database = await startFaultProxy(`http://${new URL(parley.databaseUrl).host}`)
  const cut = await serve(urlThrough(parley.databaseUrl, database), {}, undefined, undefined, parley.databaseUrl)
  await untilPeers(parley, slow, third, cut)
  const [bobs, cyds] = [await listen(cut.address, bob.token), await listen(cut.address, cyd.token)]

  /**
   * Removes Cyd while the database is unreachable, and says something.
   * @returns whether the node published it at once; if its last poll was too long ago, it holds everything back until the next
   */
  async function removeAndSay() {
    const channel = await make(true, [bob, cyd])
    const before = await say(third, bob, channel.id, 'for three')
    for (const { waitFor } of [bobs, cyds]) await waitFor('message:created', ({ id }) => id === before.id)
    database.freeze()
    await call(slow, ada, 'POST', `/api/channels/${channel.id}/remove-member`, { userId: cyd.id })
    const { id } = await say(third, bob, channel.id, 'for two')
    const heard = (ms: number) => bobs.waitFor('message:created', (it) => it.id === id, ms)
    const isAtOnce = await heard(MAX_AGE_MS).then(
      () => true,
      () => false,
    )
    database.cut()
    database.restore()
    if (!isAtOnce) await heard(STATE_TIMEOUT_MS)
    await cyds.waitFor('channel:left', ({ channelId }) => channelId === channel.id)
    expect(cyds.all('message:created').map(({ content }) => content)).not.toContain('for two')
    return isAtOnce
  }

  // On a busy machine, it may take some tries.
  for (let tries = 0; tries < 5; tries++) if (await removeAndSay()) break
  await cut.app.close()
})

test('removals in the database that this one was restored from hold nothing back', async () => {
  const bobs = await listen(parley.address, bob.token)
  const channel = await make(true, [bob])
  await parley.app.db
    .updateTable('channels')
    .set({ lastRemoval: 2 ** 50 })
    .where('id', '=', channel.id)
    .execute()
  for (const node of [parley, third]) {
    const { id } = await say(node, ada, channel.id, 'still heard')
    await bobs.waitFor('message:created', (it) => it.id === id)
  }
  bobs.socket.close()
})
