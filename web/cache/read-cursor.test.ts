import { expect, test } from 'vitest'
import { aMessage } from '../test/a-message.ts'
import { advanceOnMessage, isStale, mergeCursor } from './read-cursor.ts'

const cursor = (lastReadSeq: number, unread: number, mentions = 0, readVersion = 1) => ({
  lastReadSeq,
  unread,
  mentions,
  readVersion,
})
const toBob = (seq: number) => aMessage(seq, { mentions: [{ userId: 'bob', username: 'bob' }] })

test('the later cursor wins: by version, then by position, then by the number of messages it counts', () => {
  const held = cursor(5, 3, 1)
  expect(mergeCursor(held, cursor(7, 1))).toEqual(cursor(7, 1))
  expect(mergeCursor(held, cursor(4, 4, 2))).toEqual(held)
  expect(mergeCursor(held, cursor(2, 6, 2, 2))).toEqual(cursor(2, 6, 2, 2))
  expect(mergeCursor(held, cursor(8, 0, 0, 0))).toEqual(held)
  expect(mergeCursor(held, cursor(7, 3))).toEqual(cursor(7, 3))
  expect(mergeCursor(held, cursor(5, 4, 2))).toEqual(cursor(5, 4, 2))
  // The server counted before the newest cached message.
  expect(mergeCursor(held, cursor(6, 1))).toEqual(cursor(6, 2))
})

test('a message that the cursor already counts is not counted again when its event arrives', () => {
  expect(advanceOnMessage(mergeCursor(cursor(5, 3), cursor(7, 2, 1)), toBob(9), 'bob')).toEqual(cursor(7, 2, 1))
  expect(advanceOnMessage(cursor(5, 3), toBob(9), 'bob')).toEqual(cursor(5, 4, 1))
  expect(advanceOnMessage(cursor(5, 3, 1), toBob(9), 'ada')).toEqual(cursor(9, 0))
})

test('a cursor counted before a message that mentions me is stale', () => {
  expect(isStale(cursor(7, 0), cursor(5, 3, 1), true)).toBe(true)
  expect(isStale(cursor(8, 0), cursor(5, 3, 1), true)).toBe(false)
  expect(isStale(cursor(7, 0), cursor(5, 3), true)).toBe(false)
})

test('a cursor that moved back is stale if it is older than the cache; a cursor that loses is not', () => {
  const movedBack = cursor(2, 6, 1, 2)
  expect(isStale(movedBack, cursor(5, 3), true)).toBe(true)
  expect(isStale(movedBack, cursor(5, 3), false)).toBe(false)
  expect(isStale(cursor(2, 6, 1, 0), cursor(5, 3, 1), true)).toBe(false)
})
