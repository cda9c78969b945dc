import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setSessionUser } from '../session/session.ts'
import { ApiError } from './api.ts'
import { createReadSender } from './read-up-to.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  setSessionUser('ada')
})
afterEach(() => void vi.useRealTimers())

/** A conversation; `answer` is what its server does. */
function reading(lastReadSeq?: number) {
  const sent: number[] = []
  const state = { lastReadSeq, answer: () => {} }
  const send = async (seq: number) => {
    sent.push(seq)
    state.answer()
    state.lastReadSeq = seq
  }
  return { sent, state, sender: createReadSender(() => ({ lastReadSeq: state.lastReadSeq, send })) }
}

const cutOff = () => {
  throw new TypeError('Failed to fetch')
}

test('reads are collected for a moment, and only the furthest one is sent', async () => {
  const { sent, sender } = reading(0)
  for (const seq of [1, 3, 2]) sender.onSeen(seq)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(300)
  expect(sent).toEqual([3])
  sender.onSeen(3)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([3])
})

test('reads from before the cursor was known are sent once it is known', async () => {
  const { sent, state, sender } = reading()
  sender.onSeen(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([])
  state.lastReadSeq = 0
  sender.onCursor()
  await vi.advanceTimersByTimeAsync(300)
  expect(sent).toEqual([2])
})

test('a read that did not reach the server is sent again; a refused one is not', async () => {
  const { sent, state, sender } = reading(0)
  state.answer = cutOff
  sender.onSeen(1)
  await vi.advanceTimersByTimeAsync(300)
  state.answer = () => {
    throw new ApiError(403)
  }
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toEqual([1, 1])
})

test('one user’s read cursor is never sent as the user who signs in next', async () => {
  const { sent, state, sender } = reading(0)
  state.answer = cutOff
  sender.onSeen(1)
  await vi.advanceTimersByTimeAsync(300)
  expect(sent).toEqual([1])
  setSessionUser('bob')
  await vi.advanceTimersByTimeAsync(60_000)
  sender.onSeen(2)
  await sender.sendNow()
  expect(sent).toEqual([1])
})
