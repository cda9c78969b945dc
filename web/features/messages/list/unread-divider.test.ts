import { expect, test } from 'vitest'
import { moveDivider } from './unread-divider.ts'

const cursor = (lastReadSeq: number, unread: number, readVersion = 1) => ({
  lastReadSeq,
  unread,
  readVersion,
  mentions: 0,
})

test('the divider is at the first unread message, and stays while messages are read and arrive', () => {
  const opened = moveDivider(undefined, cursor(4, 3), false)
  expect(opened.from).toBe(5)
  const read = moveDivider(opened, cursor(7, 0), true)
  expect(read.from).toBe(5)
  expect(moveDivider(read, cursor(7, 1), false).from).toBe(5)
  expect(moveDivider(undefined, cursor(7, 0), false).from).toBeUndefined()
})

test('a message that arrives unseen sets the divider; later ones do not move it', () => {
  const opened = moveDivider(undefined, cursor(7, 0), false)
  const away = moveDivider(opened, cursor(7, 1), true)
  expect(away.from).toBe(8)
  expect(moveDivider(away, cursor(7, 2), true).from).toBe(8)
})

test('marking as unread moves the divider at once', () => {
  const opened = moveDivider(undefined, cursor(7, 0), false)
  expect(moveDivider(opened, cursor(2, 5, 2), false).from).toBe(3)
})
