import { expect, test } from 'vitest'
import { aMessage } from '../../../test/a-message.ts'
import { dayName } from '../../../ui/format/clock-time.ts'
import type { PendingMessage } from '../outbox/pending-message.ts'
import { listItems } from './list-items.ts'

const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).toISOString()

const message = (seq: number, userId: string, createdAt: string, clientId: string | null = null) =>
  aMessage(seq, { userId, user: { id: userId, username: userId, name: userId }, createdAt, clientId })

const pending = (clientId: string, createdAt: string): PendingMessage => ({
  clientId,
  channelId: 'c',
  threadId: null,
  content: clientId,
  createdAt,
  state: 'sending',
})

const shape = (rows: ReturnType<typeof listItems>) =>
  rows.map((row) => ('isGrouped' in row ? `${row.kind}${row.isGrouped ? ' continues' : ''}` : row.kind))

test('messages of one user within five minutes are grouped, until another user writes or the day changes', () => {
  const rows = listItems(
    [
      message(1, 'ada', at(18, 9, 0)),
      message(2, 'ada', at(18, 9, 4)),
      message(3, 'ada', at(18, 9, 9)),
      message(4, 'bob', at(18, 9, 9)),
      message(5, 'bob', at(18, 23, 58)),
      message(6, 'bob', at(19, 0, 1)),
    ],
    [],
    'ada',
  )
  expect(shape(rows)).toEqual([
    'day',
    'message',
    'message continues',
    'message',
    'message',
    'message',
    'day',
    'message',
  ])
})

test('a pending message follows the stored ones, and the stored version takes over its position and key', () => {
  const before = listItems([message(1, 'bob', at(18, 9, 0))], [pending('temp-1', at(18, 9, 1))], 'ada')
  expect(shape(before)).toEqual(['day', 'message', 'pending'])
  // The event came before the response: for a moment both represent the same message.
  const both = [message(1, 'bob', at(18, 9, 0)), message(2, 'ada', at(18, 9, 1), 'temp-1')]
  const after = listItems(both, [pending('temp-1', at(18, 9, 1))], 'ada')
  expect(shape(after)).toEqual(['day', 'message', 'message'])
  expect(after.at(-1)?.key).toBe(before.at(-1)?.key)
})

test('the same clientId from another user is a different message', () => {
  const rows = listItems([message(1, 'bob', at(18, 9, 0), 'temp-1')], [pending('temp-1', at(18, 9, 1))], 'ada')
  expect(shape(rows)).toEqual(['day', 'message', 'pending'])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3)
})

test('recent days are named relative to today', () => {
  const now = new Date(2026, 0, 1, 12)
  expect(dayName(new Date(2026, 0, 1, 0, 1).toISOString(), now)).toBe('Today')
  expect(dayName(new Date(2025, 11, 31, 23, 59).toISOString(), now)).toBe('Yesterday')
  expect(dayName(new Date(2025, 11, 30).toISOString(), now)).toContain('2025')
})

test('the unread divider shares a line with a new day, and ends the group before it', () => {
  const said = [
    message(1, 'ada', at(18, 9, 0)),
    message(2, 'ada', at(18, 9, 1)),
    message(3, 'ada', at(18, 9, 2)),
    message(4, 'ada', at(19, 9, 0)),
  ]
  expect(shape(listItems(said, [], 'bob', 2))).toEqual([
    'day',
    'message',
    'new',
    'message',
    'message continues',
    'day',
    'message',
  ])
  const atDay = listItems(said, [], 'bob', 4)
  expect(shape(atDay)).toEqual(['day', 'message', 'message continues', 'message continues', 'new', 'message'])
  expect(atDay[4]).toMatchObject({ kind: 'new', time: said[3]?.createdAt })
  // The first unread message is before or after the loaded ones.
  expect(shape(listItems(said.slice(2), [], 'bob', 2))).toEqual(['day', 'message', 'day', 'message'])
  expect(shape(listItems(said, [], 'bob', 9))).not.toContain('new')
})

test('a deleted message stays in its group', () => {
  const [first, second, third] = [1, 2, 3].map((seq) => message(seq, 'ada', at(18, 9, seq)))
  if (!first || !second || !third) throw new Error('Three messages are needed')
  const rows = listItems([first, { ...second, content: '', deletedAt: at(18, 10, 0) }, third], [], 'bob')
  expect(shape(rows)).toEqual(['day', 'message', 'message continues', 'message continues'])
})

test('if the end is not loaded, pending messages follow a gap and start a group', () => {
  const said = [message(1, 'ada', at(18, 9, 1))]
  const unsent = [pending('one', at(18, 9, 2)), pending('two', at(18, 9, 3))]
  expect(shape(listItems(said, unsent, 'ada', undefined, true))).toEqual([
    'day',
    'message',
    'gap',
    'day',
    'pending',
    'pending continues',
  ])
  expect(shape(listItems(said, [], 'ada', undefined, true))).toEqual(['day', 'message'])
})
