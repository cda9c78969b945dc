import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { isLong } from '../support/long.ts'
import { listen, type Person, serve, startParley, untilPeers } from '../support/parley.ts'

// Who receives what on another node, at the moment when that changes. LONG=1 does more rounds.
const rounds = isLong ? 200 : 5
/** Polling may find a membership change at the same moment as the bus delivers it. */
const OF_BUS_AND_POLL = 2

const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')
const second = await serve(parley.databaseUrl)
const third = await serve(parley.databaseUrl)
await untilPeers(parley, second, third)

let made = 0
const make = async (isPrivate: boolean, members: Person[]): Promise<Channel> =>
  (await ada.post('/api/channels', { name: `other-${made++}`, isPrivate, members: members.map(({ id }) => id) })).body

/** Sends a message through another node than the person's own. */
const sayAt = async ({ app }: typeof second, person: Person, channelId: string, content: string) =>
  (
    await app.inject({
      method: 'POST',
      url: '/api/messages',
      headers: { authorization: `Bearer ${person.token}` },
      payload: { channelId, content },
    })
  ).json()

test(`a visitor on another node receives nothing of a channel that becomes private, ${rounds} times`, async () => {
  const [bobs, eves] = [await listen(second.address, bob.token), await listen(second.address, eve.token)]
  for (let round = 0; round < rounds; round++) {
    const channel = await make(false, [bob])
    eves.socket.emit('channel:join', channel.id)
    await eves.waitFor('channel:joined', ({ channelId }) => channelId === channel.id)
    const open = await ada.say(channel.id, 'for everyone')
    await eves.waitFor('message:created', ({ id }) => id === open.id)

    await ada.patch(`/api/channels/${channel.id}`, { isPrivate: true, topic: `secret-${round}` })
    const { id } = await ada.say(channel.id, `secret-${round}`)
    await ada.patch(`/api/channels/${channel.id}`, { topic: `secret-${round} again` })
    await bobs.waitFor('message:created', (it) => it.id === id)
    await bobs.waitFor('channel:updated', ({ topic }) => topic === `secret-${round} again`)
    await eves.waitFor('channel:deleted', ({ channelId }) => channelId === channel.id)
    expect(JSON.stringify(eves.events)).not.toContain('secret')
    expect(bobs.all('channel:deleted')).toEqual([])
  }
  for (const { socket } of [bobs, eves]) socket.close()
})

test(`a member removed on one node receives nothing more on another, ${rounds} times`, async () => {
  const [bobs, cyds] = [await listen(second.address, bob.token), await listen(second.address, cyd.token)]
  const headers = { authorization: `Bearer ${cyd.token}` }
  for (let round = 0; round < rounds; round++) {
    const isPrivate = round % 2 === 0
    const channel = await make(isPrivate, [bob, cyd])
    const before = await ada.say(channel.id, 'for three')
    await cyds.waitFor('message:created', ({ id }) => id === before.id)
    await ada.post(`/api/channels/${channel.id}/remove-member`, { userId: cyd.id })
    const { id } = await ada.say(channel.id, 'for two')
    await cyds.waitFor('channel:left', ({ channelId }) => channelId === channel.id)
    // From here on, this includes writes on other nodes.
    const elsewhere = await sayAt(third, bob, channel.id, 'for two')
    for (const sent of [id, elsewhere.id]) await bobs.waitFor('message:created', (it) => it.id === sent)
    const marker = await make(false, [cyd])
    await cyds.waitFor('channel:created', (it) => it.id === marker.id)
    expect(cyds.all('message:created').map(({ content }) => content)).not.toContain('for two')
    const left = cyds.all('channel:left').filter(({ channelId }) => channelId === channel.id)
    expect(left.length).toBeLessThanOrEqual(OF_BUS_AND_POLL)
    const url = `/api/messages/channel/${channel.id}`
    expect((await second.app.inject({ url, headers })).statusCode).toBe(isPrivate ? 404 : 200)
  }
  for (const { socket } of [bobs, cyds]) socket.close()
})

test(`a member added on one node receives the next message on another exactly once, ${rounds} times`, async () => {
  const cyds = await listen(second.address, cyd.token)
  for (let round = 0; round < rounds; round++) {
    const channel = await make(true, [])
    await ada.post(`/api/channels/${channel.id}/invite`, { userId: cyd.id })
    const { id } = await ada.say(channel.id, 'welcome')
    await cyds.waitFor('message:created', (it) => it.id === id)
    const joined = cyds.all('channel:member_joined').filter(({ channelId }) => channelId === channel.id)
    expect(joined.length).toBeLessThanOrEqual(OF_BUS_AND_POLL)
    expect(cyds.all('message:created').filter((it) => it.id === id)).toHaveLength(1)
  }
  cyds.socket.close()
})

test('members concurrently removed and added by several nodes receive events according to the database', async () => {
  const channel = await make(true, [bob, cyd])
  const [cyds, bobs] = [await listen(second.address, cyd.token), await listen(third.address, bob.token)]
  const change = ({ app }: typeof second, how: 'invite' | 'remove-member') =>
    app.inject({
      method: 'POST',
      url: `/api/channels/${channel.id}/${how}`,
      headers: { authorization: `Bearer ${ada.token}` },
      payload: { userId: cyd.id },
    })
  for (let round = 0; round < rounds; round++) {
    const [first, other] = round % 2 ? [second, third] : [third, parley]
    await Promise.all([change(first, 'remove-member'), change(other, 'invite'), change(first, 'invite')])
    const row = await parley.app.db
      .selectFrom('memberships')
      .select('userId')
      .where('channelId', '=', channel.id)
      .where('userId', '=', cyd.id)
      .executeTakeFirst()
    const { id } = await sayAt(third, bob, channel.id, `round ${round}`)
    await bobs.waitFor('message:created', (it) => it.id === id)
    if (row) await expect.poll(() => heard(cyds.events, id, channel.id)).toBe(true)
    await change(parley, 'invite')
  }
  for (const { socket } of [bobs, cyds]) socket.close()
})

/** Received as the message's event, or as a later revision that makes a browser fetch it. */
const heard = (events: { event: string; payload: unknown }[], id: string, channelId: string) =>
  events.some(({ payload }) => (payload as { id?: string }).id === id) ||
  events.some(
    ({ event, payload }) => event === 'channel:rev' && (payload as { channelId: string }).channelId === channelId,
  )

test('sign-outs, language changes and deactivations reach the sockets of every node', async () => {
  const gus = await parley.person('gus')
  const [phone, laptop] = [await listen(second.address, gus.token), await listen(third.address, gus.token)]
  await gus.patch('/api/users/me', { language: 'fr' })
  for (const { waitFor } of [phone, laptop]) await waitFor('user:language_changed', ({ language }) => language === 'fr')
  const ended = [phone, laptop].map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)))
  await gus.delete('/api/sessions')
  expect(await Promise.all(ended)).toEqual(['io server disconnect', 'io server disconnect'])
})
