import { expect, test } from 'vitest'
import { type Channel, stateOf } from '#contract/channels'
import { listen, type Person, serve, startParley, untilPeers } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')
const other = await serve(parley.databaseUrl)
await untilPeers(parley, other)

const settings = '/api/notification-settings'
const levelUrl = (id: string) => `/api/channels/${id}/notification-level`
const channelFor = async (person: Person, id: string): Promise<Channel> =>
  (await person.get(`/api/channels/${id}`)).body
const sessionLevel = async ({ cookie }: Person) => {
  const answer = await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie } })
  return answer.json().user.notificationLevel
}

test('a level for one conversation is private, reaches one’s other devices on all nodes, and can be given up', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'ops', members: [bob.id] })
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  for (const { id } of [channel, direct]) {
    const own = [await bob.listen(), await listen(other.address, bob.token)]
    const others = [await ada.listen(), await eve.listen()]
    const before = stateOf(await channelFor(bob, id), bob.id)
    expect((await channelFor(bob, id)).notificationLevel).toBe(null)
    for (const level of ['everything', 'nothing', null] as const) {
      expect(await bob.put(levelUrl(id), { level })).toMatchObject({ status: 204, body: undefined })
      expect((await bob.put(levelUrl(id), { level })).status).toBe(204)
      const isThis = (it: { notificationLevel: string | null }) => it.notificationLevel === level
      for (const device of own)
        expect(await device.waitFor('channel:notification_level', isThis)).toEqual({
          channelId: id,
          notificationLevel: level,
        })
      expect((await channelFor(bob, id)).notificationLevel).toBe(level)
      expect((await channelFor(ada, id)).notificationLevel).toBe(null)
      const { body } = await bob.post('/api/channels/compare', { held: { [id]: before } })
      expect(body.moved.includes(id)).toBe(level !== null)
    }
    // The second call of each changed nothing.
    for (const device of own) expect(device.all('channel:notification_level')).toHaveLength(3)
    for (const device of others) expect(device.all('channel:notification_level')).toEqual([])
    for (const { socket } of [...own, ...others]) socket.close()
  }
})

test('outsiders choose nothing, wrong levels are refused, and who joins again begins without a choice', async () => {
  const { body: open } = await ada.post('/api/channels', { name: 'open' })
  const { body: closed } = await ada.post('/api/channels', { name: 'closed', isPrivate: true })
  const level = 'nothing'
  expect(await eve.put(levelUrl(open.id), { level })).toMatchObject({ status: 403, code: 'not_a_member' })
  expect(await eve.put(levelUrl(closed.id), { level })).toMatchObject({ status: 404 })
  expect(await channelFor(eve, open.id)).not.toHaveProperty('notificationLevel')
  for (const wrong of [{}, { level: 'loud' }, { level: 3 }, { level: ['nothing'] }])
    expect(await ada.put(levelUrl(open.id), wrong), JSON.stringify(wrong)).toMatchObject({
      status: 400,
      code: 'invalid',
    })
  expect((await ada.patch(settings, { level: 'loud' })).status).toBe(400)

  await eve.post(`/api/channels/${open.id}/join`, {})
  await eve.put(levelUrl(open.id), { level })
  await eve.post(`/api/channels/${open.id}/leave`, {})
  await eve.post(`/api/channels/${open.id}/join`, {})
  expect((await channelFor(eve, open.id)).notificationLevel).toBe(null)
})

test('my default replaces the workspace’s, in my session on all devices', async () => {
  const none = { keywords: [], schedule: null }
  expect((await bob.get(settings)).body).toEqual({ level: null, workspaceLevel: 'mentions', ...none })
  expect(await sessionLevel(bob)).toBe('mentions')
  const [device, hers] = [await listen(other.address, bob.token), await ada.listen()]
  const saved = { level: 'everything', workspaceLevel: 'mentions', ...none }
  for (const _ of ['first', 'again']) expect((await bob.patch(settings, { level: 'everything' })).body).toEqual(saved)
  await device.waitFor('notification-settings:changed')
  expect((await bob.get(settings)).body).toMatchObject(saved)
  expect([await sessionLevel(bob), await sessionLevel(ada)]).toEqual(['everything', 'mentions'])
  await bob.patch(settings, { level: null })
  expect(await sessionLevel(bob)).toBe('mentions')
  expect(device.all('notification-settings:changed')).toHaveLength(2)
  expect(hers.all('notification-settings:changed')).toEqual([])
  for (const { socket } of [device, hers]) socket.close()
})

test('admins set the level of everyone who chose none; open pages learn of it, and it is in the audit log', async () => {
  const workspace = '/api/workspace/notification-level'
  await bob.patch(settings, { level: 'nothing' })
  expect((await ada.put(workspace, { level: 'everything' })).status).toBe(403)
  expect((await olga.put(workspace, { level: null })).status).toBe(400)
  const device = await listen(other.address, ada.token)
  for (const _ of ['first', 'again'])
    expect((await olga.put(workspace, { level: 'everything' })).body).toEqual({ level: 'everything' })
  await device.waitFor('permissions:changed')
  expect([await sessionLevel(ada), await sessionLevel(bob)]).toEqual(['everything', 'nothing'])
  expect((await bob.get(settings)).body).toMatchObject({ level: 'nothing', workspaceLevel: 'everything' })
  const { entries } = (await olga.get('/api/audit?kind=notification_level_changed')).body
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ details: { from: 'mentions', to: 'everything' } })
  await olga.put(workspace, { level: 'mentions' })
  device.socket.close()
})
