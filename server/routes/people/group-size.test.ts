import { expect, test } from 'vitest'
import type { Group } from '#contract/groups'
import { limits } from '#contract/limits'
import { longTest } from '../../test/support/long.ts'
import { transaction } from '../../test/support/open-transactions.ts'
import { startParley } from '../../test/support/parley.ts'

// Groups at their limits.

const parley = await startParley()
const { olga, bob } = await parley.people('olga', 'bob')
const { db } = parley.app
const { body: crew } = await olga.post('/api/groups', { username: 'crew', name: 'Crew', userIds: [bob.id] })

test('a mention of a group stores one row, for the group', async () => {
  const { body: channel } = await olga.post('/api/channels', { name: 'ship', members: [bob.id] })
  const rowsOf = (messageId: string) =>
    db
      .selectFrom('mentions')
      .select(['userId', 'groupId'])
      .where('messageId', '=', messageId)
      .orderBy('userId')
      .execute()
  const rows = [
    { userId: bob.id, groupId: null },
    { userId: null, groupId: crew.id },
  ]
  const { id } = await olga.say(channel.id, '@crew and @bob')
  expect(await rowsOf(id)).toEqual(rows)
  await olga.put(`/api/messages/${id}`, { content: '@bob and @crew' })
  expect(await rowsOf(id)).toEqual(rows)
})

longTest('the maximum number of groups, full and nested, can be listed and changed', async () => {
  const { all, people, parts, depth } = limits.group
  const made = all - 1
  const width = Math.floor(made / depth)
  const filling = await transaction(
    parley.databaseUrl,
    // One trigger for each of a quarter of a million rows would take minutes.
    ['alter table group_people disable trigger note_group_people'],
    [
      `insert into users (id, username, name, email, "emailVerified", "isWelcomed")
        select 'person-' || n, 'person-' || n, 'Person', 'person-' || n || '@example.com', false, true
        from generate_series(1, $1::integer) n`,
      [people],
    ],
    [
      `insert into groups (id, username, name)
        select ('0199a1de-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'group-' || n, 'Group'
        from generate_series(0, $1::integer) n`,
      [made - 1],
    ],
    [
      `insert into group_people ("groupId", "userId") select groups.id, users.id from groups, users
        where groups.username like 'group-%' and users.id like 'person-%'`,
    ],
    // Each contains the maximum number of groups, of the next level.
    [
      `insert into group_parts ("groupId", "partId") select outside.id, inside.id
        from generate_series(0, $1::integer) n
        cross join generate_series(0, $2::integer) i
        join groups outside on outside.username = 'group-' || n
        join groups inside on inside.username = 'group-' || ((n / $3::integer + 1) * $3 + (n * 7 + i) % $3)`,
      [width * (depth - 1) - 1, parts - 1, width],
    ],
    ['alter table group_people enable trigger note_group_people'],
  )
  await filling.commit()
  const { status, body } = await bob.get('/api/groups')
  expect([status, body.length]).toEqual([200, all])
  for (const group of (body as Group[]).filter(({ username }) => username.startsWith('group-')))
    expect(group).toMatchObject({ peopleCount: people, isMine: false })
  const some = (body as Group[]).find(({ username }) => username === 'group-0') as Group
  const deep = (body as Group[]).find(({ username }) => username === `group-${width * depth - 1}`) as Group
  // One level too many, above and below.
  expect(await olga.patch(`/api/groups/${deep.id}`, { groupIds: [crew.id] })).toMatchObject({ status: 400 })
  expect(await olga.patch(`/api/groups/${crew.id}`, { groupIds: [some.id] })).toMatchObject({ status: 400 })
  expect(await olga.patch(`/api/groups/${deep.id}`, { userIds: [bob.id] })).toMatchObject({ status: 200 })
  await olga.put('/api/users/person-1/deactivation', {})
  const { body: later } = await bob.get('/api/groups')
  const seen = (name: string) => (later as Group[]).find(({ username }) => username === name)
  expect(seen(deep.username)).toMatchObject({ peopleCount: 1, isMine: true })
  expect(seen('group-0')).toMatchObject({ peopleCount: people })
  expect(seen('crew')).toMatchObject({ peopleCount: 1, isMine: true })
})

test('a reserved name is reported as reserved', async () => {
  for (const username of ['channel', 'here', 'all', 'ass1stant'])
    expect((await olga.post('/api/groups', { username, name: 'X' })).body.error.problems.username.reason).toBe(
      'reserved',
    )
  expect((await olga.post('/api/groups', { username: 'a b', name: 'X' })).body.error.problems.username.reason).toBe(
    'notAUsername',
  )
})
