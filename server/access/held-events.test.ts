import { expect, test } from 'vitest'
import { createHeldEvents } from './held-events.ts'

function openHeld(maxBytes = 10_000) {
  const state = { isFresh: true, asked: 0, dropped: 0 }
  const sent: number[] = []
  const held = createHeldEvents({
    isFresh: () => state.isFresh,
    onHeld: () => state.asked++,
    maxBytes,
    onDropped: () => state.dropped++,
  })
  const pass = (n: number, bytes = 100) =>
    held.pass(
      () => sent.push(n),
      () => bytes,
    )
  return { state, sent, held, pass }
}

test('events wait while it is unknown who may receive them, and keep their order', () => {
  const { state, sent, held, pass } = openHeld()
  pass(1)
  state.isFresh = false
  pass(2)
  state.isFresh = true
  // It must not overtake the one that waits.
  pass(3)
  expect(sent).toEqual([1])
  expect(state.asked).toBe(2)
  held.release()
  pass(4)
  expect(sent).toEqual([1, 2, 3, 4])
})

test('beyond their bytes they are dropped, and clients told to look', () => {
  const { state, sent, held, pass } = openHeld(2000)
  state.isFresh = false
  for (let n = 0; n < 3; n++) pass(n, 500)
  expect(state.dropped).toBe(1)
  state.isFresh = true
  held.release()
  expect(sent).toEqual([])
  pass(9)
  expect(sent).toEqual([9])
})
