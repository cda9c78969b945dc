import { expect, test } from 'vitest'
import { aMessage } from '../../../test/a-message.ts'
import type { PendingMessage } from '../outbox/pending-message.ts'
import { threadItems } from './thread-items.ts'

const today = new Date(2026, 10, 20, 18)
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString()

const parentAt = (createdAt: string) => aMessage(7, { id: 'parent', createdAt, content: 'parent', replyCount: 60 })
const reply = (seq: number, createdAt: string, over = {}) =>
  aMessage(seq, { threadId: 'parent', createdAt, content: `reply ${seq}`, clientId: `key-${seq}`, ...over })
const pending = (clientId: string, state: PendingMessage['state']): PendingMessage => ({
  clientId,
  channelId: 'c',
  threadId: 'parent',
  content: clientId,
  createdAt: at(20, 17),
  state,
})

const shape = (rows: ReturnType<typeof threadItems>) =>
  rows.map((row) => {
    if (row.kind === 'replies') return `${row.count} replies`
    if (!('isGrouped' in row)) return row.kind
    const { content } = row.kind === 'message' ? row.message : row.pending
    return row.isGrouped ? `… ${content}` : content
  })

test('a thread lists the parent, the number of replies and the replies, without a divider for today', () => {
  const parent = parentAt(at(20, 9))
  const messages = [reply(1, at(20, 10)), reply(2, at(20, 10, 4)), reply(3, at(20, 10, 30))]
  expect(shape(threadItems({ parent, messages, hasOlder: false }, [], 'ada', undefined, today))).toEqual([
    'parent',
    '3 replies',
    'reply 1',
    '… reply 2',
    'reply 3',
  ])
})

test('a thread without replies is only its parent', () => {
  expect(
    shape(threadItems({ parent: parentAt(at(20, 9)), messages: [], hasOlder: false }, [], 'ada', undefined, today)),
  ).toEqual(['parent'])
})

test('a day divider appears for days other than today, and where the day changes', () => {
  const parent = parentAt(at(18, 9))
  const messages = [reply(1, at(18, 10)), reply(2, at(19, 10)), reply(3, at(20, 10))]
  const rows = (own: typeof messages) =>
    shape(threadItems({ parent, messages: own, hasOlder: false }, [], 'ada', undefined, today))
  expect(rows(messages)).toEqual(['day', 'parent', '3 replies', 'reply 1', 'day', 'reply 2', 'day', 'reply 3'])
  expect(rows(messages.slice(2))).toEqual(['day', 'parent', '1 replies', 'day', 'reply 3'])
})

test('a pending reply counts once; deleted and failed ones do not count', () => {
  const parent = parentAt(at(20, 9))
  const messages = [reply(1, at(20, 10)), reply(2, at(20, 12), { deletedAt: at(20, 13), content: '' })]
  const waiting = [pending('key-1', 'sending'), pending('key-9', 'queued'), pending('key-10', 'failed')]
  expect(shape(threadItems({ parent, messages, hasOlder: false }, waiting, 'ada', undefined, today))).toEqual([
    'parent',
    '2 replies',
    'reply 1',
    '',
    'key-9',
    '… key-10',
  ])
})

test('if a thread is not loaded completely, the parent gives the number of replies', () => {
  const rows = threadItems(
    { parent: parentAt(at(20, 9)), messages: [reply(60, at(20, 10))], hasOlder: true },
    [],
    'ada',
    undefined,
    today,
  )
  expect(shape(rows)).toEqual(['parent', '60 replies', 'reply 60'])
})

test('a line marks the first unread reply, and names the day only if it is another one', () => {
  const parent = parentAt(at(20, 9))
  const messages = [reply(1, at(20, 10)), reply(2, at(20, 10, 2)), reply(3, at(21, 9))]
  const newIn = (newFrom: number) =>
    threadItems({ parent, messages, hasOlder: false }, [], 'ada', newFrom, today).flatMap((row, nth, rows) =>
      row.kind === 'new' ? [row.time, shape(rows)[nth + 1]] : [],
    )
  expect(newIn(1)).toEqual([undefined, 'reply 1'])
  expect(newIn(2)).toEqual([undefined, 'reply 2'])
  expect(newIn(3)).toEqual([at(21, 9), 'reply 3'])
  expect(newIn(4)).toEqual([])
})
