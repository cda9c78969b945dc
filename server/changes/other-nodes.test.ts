import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { transaction } from '../test/support/open-transactions.ts'
import { listen, NO_BUS, serve, startParley } from '../test/support/parley.ts'

// What one node notices of another without a bus.

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const other = await serve(parley.databaseUrl, {}, undefined, undefined, NO_BUS)

let made = 0
const make = async (isPrivate: boolean): Promise<Channel> =>
  (await ada.post('/api/channels', { name: `elsewhere-${made++}`, isPrivate, members: [bob.id] })).body

test('changes to public channels on another node reach users who are not members', async () => {
  const eves = await listen(other.address, eve.token)
  const open = await make(false)
  expect(await eves.waitFor('channel:updated', ({ id }) => id === open.id)).toMatchObject({
    name: open.name,
    kind: 'public',
    _count: { members: 2 },
    members: [],
  })
  await ada.patch(`/api/channels/${open.id}`, { name: 'renamed elsewhere', topic: 'weather' })
  await eves.waitFor('channel:updated', ({ id, name, topic }) => id === open.id && /renamed/.test(name) && topic !== '')

  const closed = await make(true)
  await ada.patch(`/api/channels/${closed.id}`, { isPrivate: false })
  await eves.waitFor('channel:updated', ({ id, isPrivate }) => id === closed.id && !isPrivate)
  await ada.patch(`/api/channels/${closed.id}`, { isPrivate: true })
  await eves.waitFor('channel:deleted', ({ channelId }) => channelId === closed.id)

  await ada.delete(`/api/channels/${open.id}`)
  expect(await eves.waitFor('channel:deleted', ({ channelId }) => channelId === open.id)).toMatchObject({
    memberIds: [],
  })
})

test('a status emoji set on another node is shown', async () => {
  const bobs = await listen(other.address, bob.token)
  await ada.put('/api/users/status', { user_status: '🦉' })
  await bobs.waitFor('user:status_changed', ({ userId, user_status }) => userId === ada.id && user_status === '🦉')
})

test('nothing about a private channel reaches outsiders, on any node', async () => {
  const [here, there] = [await eve.listen(), await listen(other.address, eve.token)]
  const hidden = await make(true)
  await ada.say(hidden.id, 'between us')
  await ada.patch(`/api/channels/${hidden.id}`, { name: 'hidden elsewhere', topic: 'between us' })
  await ada.post(`/api/channels/${hidden.id}/remove-member`, { userId: bob.id })
  await ada.delete(`/api/channels/${hidden.id}`)
  const last = await make(false)
  await here.waitFor('channel:created', ({ id }) => id === last.id)
  await there.waitFor('channel:updated', ({ id }) => id === last.id)
  for (const { events } of [here, there])
    for (const secret of [hidden.id, hidden.name, 'hidden elsewhere', 'between us'])
      expect(JSON.stringify(events)).not.toContain(secret)
})

test('members on another node see the channel’s current state or its deletion; a node publishes its own changes once', async () => {
  const [here, there] = [await eve.listen(), await listen(other.address, bob.token)]
  const open = await make(false)
  await there.waitFor('channel:member_joined', ({ channelId }) => channelId === open.id)
  await ada.patch(`/api/channels/${open.id}`, { topic: 'weather' })
  await there.waitFor('channel:updated', ({ id, topic }) => id === open.id && topic === 'weather')
  const { id } = await ada.say(open.id, 'hello')
  await there.waitFor('channel:rev', ({ channelId, seq }) => channelId === open.id && seq === 1)
  expect(there.all('message:created').map((it) => it.id)).not.toContain(id)
  await ada.delete(`/api/channels/${open.id}`)
  await there.waitFor('channel:deleted', ({ channelId }) => channelId === open.id)

  const last = await make(false)
  await there.waitFor('channel:updated', (it) => it.id === last.id)
  await here.waitFor('channel:created', (it) => it.id === last.id)
  const count = (event: 'channel:created' | 'channel:updated' | 'channel:deleted') =>
    here.all(event).filter((it) => ('id' in it ? it.id : it.channelId) === open.id).length
  expect([count('channel:created'), count('channel:updated'), count('channel:deleted')]).toEqual([1, 1, 1])
})

const moves = (channelId: string, and = ''): [string, string[]] => [
  `update channels set rev = rev + 1, "changedAt" = clock_timestamp() ${and} where id = $1`,
  [channelId],
]

test('a public channel’s state is published under its own revision, and later messages separately', async () => {
  const open = await make(false)
  const [bobs, eves] = [await bob.listen(), await eve.listen()]
  // The channel's own change has already been published; then another node sends a message.
  const sending = await transaction(
    parley.databaseUrl,
    [
      `update access_changes set "changedBy" = pg_current_xact_id() where "channelId" = $1 and "userId" = ''`,
      [open.id],
    ],
    moves(open.id),
  )
  await sending.commit()
  await bobs.waitFor('channel:rev', ({ channelId, rev }) => channelId === open.id && rev === 2)
  expect(bobs.all('channel:updated').filter(({ id }) => id === open.id)).toEqual([])

  const renamed = await transaction(
    parley.databaseUrl,
    moves(open.id, `, "selfRev" = rev + 1, topic = 'weather'`),
    moves(open.id),
  )
  await renamed.commit()
  await bobs.waitFor('channel:rev', ({ channelId, rev }) => channelId === open.id && rev === 4)
  for (const listener of [bobs, eves])
    expect(await listener.waitFor('channel:updated', ({ id }) => id === open.id)).toMatchObject({
      rev: 3,
      topic: 'weather',
    })
})

test('a user added on another node sees the join under its own revision, whatever was sent since', async () => {
  const entered = await make(true)
  const eves = await eve.listen()
  const late = await transaction(
    parley.databaseUrl,
    moves(entered.id, ', "selfRev" = rev + 1, "memberCount" = "memberCount" + 1'),
    ['insert into memberships ("channelId", "userId") values ($1, $2)', [entered.id, eve.id]],
    moves(entered.id),
  )
  await late.commit()
  expect(await eves.waitFor('channel:member_joined', ({ channelId }) => channelId === entered.id)).toMatchObject({
    rev: 2,
  })
})
