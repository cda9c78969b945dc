import { expect, test } from 'vitest'
import { moveDivider } from './unread-divider.ts'

const cursor = (lastReadSeq: number, unread: number, readVersion = 1) => ({
  lastReadSeq,
  unread,
  readVersion,
  mentions: 0,
})

test('it stands at the first unread and stays while that is read and more is said', () => {
  const opened = moveDivider(undefined, cursor(4, 3), false)
  expect(opened.from).toBe(5)
  const read = moveDivider(opened, cursor(7, 0), true)
  expect(read.from).toBe(5)
  expect(moveDivider(read, cursor(7, 1), false).from).toBe(5)
  expect(moveDivider(undefined, cursor(7, 0), false).from).toBeUndefined()
})

test('what is said while nobody looks is new; what follows it changes nothing', () => {
  const opened = moveDivider(undefined, cursor(7, 0), false)
  const away = moveDivider(opened, cursor(7, 1), true)
  expect(away.from).toBe(8)
  expect(moveDivider(away, cursor(7, 2), true).from).toBe(8)
})

test('marking unread moves it at once', () => {
  const opened = moveDivider(undefined, cursor(7, 0), false)
  expect(moveDivider(opened, cursor(2, 5, 2), false).from).toBe(3)
})
