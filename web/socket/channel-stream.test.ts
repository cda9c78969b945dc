import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tries } from '#contract/test/properties'
import { type ChannelRev, createChannelStream } from './channel-stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const FETCH_MS = 30

/** A follower at revision 0 that records applied events. After a gap it applies late events, like the sidebar, or fetches. */
function open(doesFetch = false) {
  const applied: number[] = []
  const gaps: ChannelRev[] = []
  let held = 0
  let isComplete = true
  const take = ({ rev }: ChannelRev) => {
    applied.push(rev)
    held = Math.max(held, rev)
  }
  const stream = createChannelStream<ChannelRev>({
    heldRevs: () => [held],
    isComplete: () => isComplete,
    apply: take,
    onGap: (latest, waiting) => {
      gaps.push(latest)
      if (doesFetch) setTimeout(reach, FETCH_MS, latest.rev)
      else for (const event of waiting) take(event)
    },
  })
  function reach(rev: number) {
    held = Math.max(held, rev)
    stream.release('c')
  }
  return {
    applied,
    gaps,
    held: () => held,
    receive: (rev: number) => stream.receive({ channelId: 'c', rev }),
    announce: (rev: number) => stream.announce({ channelId: 'c', rev }),
    reach,
    leave: () => {
      isComplete = false
    },
    forgetAll: stream.forgetAll,
  }
}

test('events of two nodes are applied in revision order, without delay', () => {
  const { applied, receive } = open()
  for (const rev of [1, 3, 4, 2]) receive(rev)
  expect(applied).toEqual([1, 2, 3, 4])
  expect(vi.getTimerCount()).toBe(0)
})

test('there is no gap if each event arrives in time, however long some of them wait in total', () => {
  const { applied, gaps, receive } = open()
  for (const rev of [2, 4, 1, 6, 3, 8, 5, 7]) {
    receive(rev)
    vi.advanceTimersByTime(40)
  }
  vi.runAllTimers()
  expect(applied).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(gaps).toEqual([])
})

const fates = fc.record({
  sent: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }).chain((lost) =>
    fc.shuffledSubarray(
      range(40).filter((rev) => !lost.includes(rev)),
      { minLength: 40 - lost.length },
    ),
  ),
  waits: fc.array(fc.oneof(fc.constant(0), fc.nat(150)), { minLength: 1, maxLength: 40 }),
})

test('whatever is late or lost, every event is applied once, and in order if each arrives in time', () => {
  fc.assert(
    fc.property(fates, ({ sent, waits }) => {
      const { applied, receive } = open()
      sent.forEach((rev, i) => {
        receive(rev)
        vi.advanceTimersByTime(waits[i % waits.length] ?? 0)
      })
      vi.runAllTimers()
      expect(applied.toSorted((a, b) => a - b)).toEqual(sent.toSorted((a, b) => a - b))
      if (sent.length === 40 && waits.every((ms) => ms === 0)) expect(applied).toEqual(range(40))
      expect(vi.getTimerCount()).toBe(0)
    }),
    tries(500),
  )
})

test('whatever is late or lost, a follower that fetches missed changes reaches the latest revision', () => {
  fc.assert(
    fc.property(fates, ({ sent, waits }) => {
      const { receive, announce, held } = open(true)
      sent.forEach((rev, i) => {
        receive(rev)
        vi.advanceTimersByTime(waits[i % waits.length] ?? 0)
      })
      announce(40)
      vi.runAllTimers()
      expect(held()).toBe(40)
      expect(vi.getTimerCount()).toBe(0)
    }),
    tries(500),
  )
})

test('after a lost event, later ones wait only briefly, and only up to a limit', () => {
  const { applied, gaps, receive } = open()
  receive(2)
  expect(applied).toEqual([])
  vi.runAllTimers()
  expect(applied).toEqual([2])
  expect(gaps).toEqual([{ channelId: 'c', rev: 2 }])
  for (const rev of range(102)) receive(rev + 3)
  expect(applied).toHaveLength(103)
  receive(1)
  expect(applied.at(-1)).toBe(1)
})

test('an announced revision is a gap unless its events arrive shortly', () => {
  const { gaps, receive, announce, reach } = open()
  announce(1)
  receive(1)
  vi.runAllTimers()
  announce(3)
  reach(3)
  vi.runAllTimers()
  expect(gaps).toEqual([])
  announce(5)
  vi.runAllTimers()
  expect(gaps).toEqual([{ channelId: 'c', rev: 5 }])
})

test('events of incomplete channels are applied at once, and none after the end', () => {
  const { applied, receive, leave, forgetAll } = open()
  receive(2)
  forgetAll()
  vi.runAllTimers()
  expect(applied).toEqual([])
  leave()
  receive(7)
  expect(applied).toEqual([7])
})

function range(count: number) {
  return Array.from({ length: count }, (_, index) => index + 1)
}
