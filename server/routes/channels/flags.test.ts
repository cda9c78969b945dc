import { expect, test } from 'vitest'
import { type Channel, stateOf } from '#contract/channels'
import { type Person, serve, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const other = await serve(parley.databaseUrl)

const channelFor = async (person: Person, id: string): Promise<Channel> =>
  (await person.get(`/api/channels/${id}`)).body

async function channelOnOtherNode({ token }: Person, id: string): Promise<Channel> {
  const headers = { authorization: `Bearer ${token}` }
  return (await other.app.inject({ url: `/api/channels/${id}`, headers })).json()
}

test('a favorite is private, reaches one’s other devices and nodes, and setting it twice changes nothing', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'launch', members: [bob.id] })
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  for (const { id } of [channel, direct]) {
    const own = await Promise.all([bob.listen(), bob.listen()])
    const others = await Promise.all([ada.listen(), eve.listen()])
    const before = stateOf(await channelFor(bob, id), bob.id)
    expect(await channelFor(bob, id)).toMatchObject({ isFavorite: false, muted: false })
    for (const isFavorite of [true, false]) {
      const url = `/api/channels/${id}/favorite`
      const set = () => (isFavorite ? bob.put(url, {}) : bob.delete(url))
      expect(await set()).toMatchObject({ status: 204, body: undefined })
      expect((await set()).status).toBe(204)
      for (const device of own)
        expect(await device.waitFor('channel:favorited', (event) => event.isFavorite === isFavorite)).toEqual({
          channelId: id,
          isFavorite,
        })
      expect(await channelFor(bob, id)).toMatchObject({ isFavorite, muted: false })
      expect(await channelFor(ada, id)).toMatchObject({ isFavorite: false })
      expect(await channelOnOtherNode(bob, id)).toMatchObject({ isFavorite })
      const { body } = await bob.post('/api/channels/compare', { held: { [id]: before } })
      expect(body.moved.includes(id)).toBe(isFavorite)
    }
    for (const device of others) expect(device.all('channel:favorited')).toEqual([])
  }
})

test('outsiders have no favorites, and learn nothing of channels they cannot see', async () => {
  const { body: open } = await ada.post('/api/channels', { name: 'open' })
  const { body: closed } = await ada.post('/api/channels', { name: 'closed', isPrivate: true })
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  const refusals = [
    [open.id, { status: 403, code: 'not_a_member' }],
    [closed.id, { status: 404 }],
    [direct.id, { status: 404 }],
  ]
  for (const [id, refusal] of refusals) {
    expect(await eve.put(`/api/channels/${id}/favorite`, {})).toMatchObject(refusal)
    expect(await eve.delete(`/api/channels/${id}/favorite`)).toMatchObject(refusal)
  }
  expect(await channelFor(eve, open.id)).not.toHaveProperty('isFavorite')
})

test('leaving a favorite removes the flag, even after joining again', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'left', members: [bob.id] })
  await bob.put(`/api/channels/${channel.id}/favorite`, {})
  await bob.post(`/api/channels/${channel.id}/leave`)
  expect(await channelFor(bob, channel.id)).not.toHaveProperty('isFavorite')
  await bob.post(`/api/channels/${channel.id}/join`)
  expect(await channelFor(bob, channel.id)).toMatchObject({ isFavorite: false })
})
