import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEventOrder } from './event-order.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A channel as cached at revision 0, and what was applied to it. */
function open() {
  const applied: number[] = []
  let held: number | undefined = 0
  const order = createEventOrder(() => held)
  const receive = (rev: number) =>
    order.receive('c', rev, () => {
      applied.push(rev)
      if (held !== undefined) held = Math.max(held, rev)
    })
  const leave = () => {
    held = undefined
  }
  return { applied, receive, leave, end: order.end }
}

test('events of two nodes are applied in the order of their revisions, at once', () => {
  const { applied, receive } = open()
  for (const rev of [1, 3, 4, 2]) receive(rev)
  expect(applied).toEqual([1, 2, 3, 4])
  expect(vi.getTimerCount()).toBe(0)
})

test('whatever the order, every event is applied once, and in order if none is lost', () => {
  const events = fc
    .uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 40 })
    .chain((lost) => fc.tuple(fc.constant(lost), fc.shuffledSubarray(range(40), { minLength: 40 })))
  fc.assert(
    fc.property(events, ([lost, shuffled]) => {
      const { applied, receive } = open()
      const sent = shuffled.filter((rev) => !lost.includes(rev))
      for (const rev of sent) receive(rev)
      vi.runAllTimers()
      expect(applied.toSorted((a, b) => a - b)).toEqual(sent.toSorted((a, b) => a - b))
      if (lost.length === 0) expect(applied).toEqual(range(40))
      expect(vi.getTimerCount()).toBe(0)
    }),
  )
})

test('after a lost event the later ones wait for a moment only, and never for too many', () => {
  const { applied, receive } = open()
  receive(2)
  expect(applied).toEqual([])
  vi.runAllTimers()
  expect(applied).toEqual([2])
  for (const rev of range(102)) receive(rev + 3)
  expect(applied).toHaveLength(103)
  receive(1)
  expect(applied.at(-1)).toBe(1)
})

test('events of channels that do not send all of them are applied at once; nothing after the end', () => {
  const { applied, receive, leave, end } = open()
  receive(2)
  end()
  vi.runAllTimers()
  expect(applied).toEqual([])
  leave()
  receive(7)
  expect(applied).toEqual([7])
})

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
