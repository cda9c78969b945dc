import { expect, test } from 'vitest'
import { type Channel, stateOf } from '#contract/channels'
import { limits } from '#contract/limits'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

let made = 0
const newChannel = async (more: object = {}): Promise<string> =>
  (await ada.post('/api/channels', { name: `compared-${made++}`, ...more })).body.id

/** The state of all of a user's channels, as a browser stores it. */
async function heldBy(person: Person) {
  const { body } = await person.get('/api/channels?limit=100')
  const all: Channel[] = [...body.channels, ...body.directMessages]
  return Object.fromEntries(all.map((channel) => [channel.id, stateOf(channel, person.id)]))
}

const compare = async (person: Person, held: object) => (await person.post('/api/channels/compare', { held })).body

test('comparing channels returns nothing when nothing happened', async () => {
  await newChannel({ members: [bob.id] })
  await newChannel()
  await ada.post('/api/direct-messages', { userIds: [bob.id] })
  expect(await compare(bob, await heldBy(bob))).toEqual({ moved: [], gone: [] })
})

test('comparing channels returns those with messages, reads, mutes, creations, joins and ends since, and no others', async () => {
  const members = [bob.id]
  const [active, read, muted, left, deleted, closed] = await Promise.all([
    newChannel({ members }),
    newChannel({ members }),
    newChannel({ members }),
    newChannel({ members, isPrivate: true }),
    newChannel({ members }),
    newChannel(),
  ])
  await ada.say(read, 'to be read')
  const held = await heldBy(bob)

  await ada.say(active, 'news')
  await bob.put(`/api/channels/${read}/read`, { seq: 1 })
  await bob.put(`/api/channels/${muted}/mute`, {})
  await ada.post(`/api/channels/${left}/remove-member`, { userId: bob.id })
  await ada.delete(`/api/channels/${deleted}`)
  await ada.patch(`/api/channels/${closed}`, { isPrivate: true })
  const fresh = await newChannel()
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id, eve.id] })

  const { moved, gone } = await compare(bob, held)
  expect(moved.sort()).toEqual([active, read, muted, fresh, direct.id].sort())
  expect(gone.sort()).toEqual([left, deleted, closed].sort())
})

test('comparing reports others who joined a direct message, not oneself', async () => {
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [eve.id] })
  const [ofAda, ofEve] = [await heldBy(ada), await heldBy(eve)]
  await eve.listen()
  expect((await compare(ada, ofAda)).moved).toContain(direct.id)
  expect((await compare(eve, ofEve)).moved).not.toContain(direct.id)
})

test('comparing reports others who became idle in a direct message', async () => {
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  const { socket } = await bob.listen()
  const held = await heldBy(ada)
  expect(held[direct.id]).toBeDefined()
  socket.emit('status:update', 'idle')
  await expect.poll(async () => (await compare(ada, held)).moved).toContain(direct.id)
})

test('comparing reveals no channel that its caller cannot see', async () => {
  const secret = await newChannel({ isPrivate: true })
  expect(await compare(eve, { [secret]: '1' })).toEqual({ moved: expect.not.arrayContaining([secret]), gone: [secret] })
})

test('comparing more channels than the limit is refused', async () => {
  const id = (nth: number) => `0198f000-0000-7000-8000-${String(nth).padStart(12, '0')}`
  const held = Object.fromEntries(Array.from({ length: limits.comparedChannels + 1 }, (_, nth) => [id(nth), '1']))
  expect((await bob.post('/api/channels/compare', { held })).status).toBe(400)
})

test('each page of the list states the total', async () => {
  const { body: all } = await ada.get('/api/channels?limit=100')
  const total = Math.max(all.channels.length, all.directMessages.length)
  for (const page of [1, 2]) {
    const { body } = await ada.get(`/api/channels?limit=2&page=${page}`)
    expect(body.pagination).toEqual({ page, limit: 2, hasMore: true, total })
  }
})
