import { expect, test } from 'vitest'
import type { ScheduledMessage } from '#contract/scheduled-messages'
import { withScheduled } from './scheduled-queries.ts'

const item = (id: string, hour: number): ScheduledMessage => ({
  id,
  clientId: id,
  channelId: 'channel',
  channelName: 'plans',
  threadId: null,
  content: `message ${id}`,
  files: [],
  rev: 1,
  createdAt: '2026-12-01T08:00:00.000Z',
  sendAt: `2026-12-01T${hour}:00:00.000Z`,
  failure: null,
})
const idsOf = (items: ScheduledMessage[]) => items.map(({ id }) => id)

test('a message is added in its place, and moves when its time changes', () => {
  const items = [item('a', 10), item('b', 12)]
  expect(idsOf(withScheduled(items, item('c', 11)))).toEqual(['a', 'c', 'b'])
  expect(idsOf(withScheduled(items, item('a', 13)))).toEqual(['b', 'a'])
})
