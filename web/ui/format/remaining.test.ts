import { expect, test } from 'vitest'
import { remainingMs, type Sample, withSample } from './remaining.ts'

const after = (...steps: [at: number, done: number][]) =>
  steps.reduce<Sample[]>((samples, [at, done]) => withSample(samples, { at, done }), [])

test('an estimate follows the speed of the last minute', () => {
  expect(remainingMs(after([0, 0], [10_000, 100]), 1000)).toBe(90_000)
  // Ten times as slow since.
  const slower = after([0, 0], [10_000, 1000], [20_000, 1010], [50_000, 1040], [80_000, 1070])
  expect(remainingMs(slower, 1100)).toBe(30_000)
})

test('there is none before some seconds, nor without progress', () => {
  expect(remainingMs([], 10)).toBeUndefined()
  expect(remainingMs(after([0, 0], [4000, 5]), 10)).toBeUndefined()
  expect(remainingMs(after([0, 5], [9000, 5]), 10)).toBeUndefined()
})

test('a task that begins anew is estimated anew', () => {
  expect(remainingMs(after([0, 0], [10_000, 500], [20_000, 0]), 1000)).toBeUndefined()
  expect(remainingMs(after([0, 0], [10_000, 500], [20_000, 0], [30_000, 10]), 1000)).toBe(990_000)
})

test('what is done takes no time', () => {
  expect(remainingMs(after([0, 0], [10_000, 10]), 10)).toBe(0)
})
