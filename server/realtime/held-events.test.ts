import { expect, test } from 'vitest'
import { createHeldEvents } from './held-events.ts'

function openHeld(maxBytes = 10_000) {
  const state = { isFresh: true, turn: 0, asked: 0, dropped: 0 }
  const sent: number[] = []
  const held = createHeldEvents({
    freshness: { isFresh: () => state.isFresh, turn: () => state.turn },
    onHeld: () => state.asked++,
    maxBytes,
    onDropped: () => state.dropped++,
  })
  const pass = (n: number, bytes = 100, isTransient = false) =>
    held.pass(
      () => sent.push(n),
      () => bytes,
      isTransient,
    )
  return { state, sent, held, pass }
}

test('events wait in order while this node’s view of memberships is stale', () => {
  const { state, sent, held, pass } = openHeld()
  pass(1)
  state.isFresh = false
  pass(2)
  state.isFresh = true
  // It must not overtake the held event.
  pass(3)
  expect(sent).toEqual([1])
  expect(state.asked).toBe(2)
  held.release(0)
  pass(4)
  expect(sent).toEqual([1, 2, 3, 4])
})

test('a poll releases only events from before it started', () => {
  const { state, sent, held, pass } = openHeld()
  state.isFresh = false
  pass(1)
  state.turn++
  pass(2)
  held.release(0)
  expect(sent).toEqual([1])
  held.release(1)
  expect(sent).toEqual([1, 2])
})

test('transient events are dropped rather than held', () => {
  const { state, sent, held, pass } = openHeld()
  state.isFresh = false
  pass(1, 100, true)
  held.release(0)
  expect(sent).toEqual([])
})

test('held events beyond the byte limit are dropped, and clients refetch', () => {
  const { state, sent, held, pass } = openHeld(2000)
  state.isFresh = false
  for (let n = 0; n < 3; n++) pass(n, 500)
  expect(state.dropped).toBe(1)
  state.isFresh = true
  held.release(0)
  expect(sent).toEqual([])
  pass(9)
  expect(sent).toEqual([9])
})
