import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { MAX_REACTORS_PER_MESSAGE } from '../../messages/message-rows.ts'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')

test('a message’s reactions store only the users that it lists', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'reactions', members: [bob.id] })
  const message: Message = await ada.say(channel.id, 'well?')
  const fans = Array.from({ length: 50 }, (_, n) => ({ id: `many-${n}`, n }))
  await parley.app.db
    .insertInto('users')
    .values(fans.map(({ id, n }) => ({ id, name: `Many ${n}`, username: id, email: `${id}@example.com` })))
    .execute()
  const emojis = Array.from({ length: 49 }, (_, n) => String.fromCodePoint(0x1f600 + n))
  const [few] = emojis as [string]
  const rows = emojis.flatMap((emoji) =>
    (emoji === few ? fans.slice(0, 2) : fans).map(({ id: userId, n }) => {
      return { messageId: message.id, emoji, userId, createdAt: new Date(n).toISOString() }
    }),
  )
  await parley.app.db.insertInto('reactions').values(rows).execute()
  await bob.post(`/api/messages/${message.id}/reactions`, { emoji: '👍' })
  const { rows: stored } = await parley.app.pool.query(`select reactions from messages where id = $1`, [message.id])
  const listed = stored[0].reactions as { emoji: string; count: number; userIds: string[] }[]
  expect(listed.flatMap(({ userIds }) => userIds).length).toBeLessThanOrEqual(MAX_REACTORS_PER_MESSAGE)
  expect(listed).toHaveLength(50)
  expect(listed.find(({ emoji }) => emoji === few)).toMatchObject({ count: 2, userIds: ['many-0', 'many-1'] })
  expect(listed.find(({ emoji }) => emoji === emojis[1])).toMatchObject({
    count: 50,
    userIds: fans.slice(0, 6).map(({ id }) => id),
  })
  const { reactions: seen, reactionCounts } = (await ada.get(`/api/messages/channel/${channel.id}`)).body[0] as Message
  expect(Object.values(reactionCounts).reduce((sum, n) => sum + n, 0)).toBe(48 * 50 + 3)
  expect(Object.values(seen).map((people) => people.map(({ id }) => id))).toEqual(listed.map(({ userIds }) => userIds))
})
