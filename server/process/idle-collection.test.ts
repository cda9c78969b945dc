import { constants, PerformanceObserver } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import { noteBuffer } from './collect-garbage.ts'
import { collectWhenIdle, hasGrown } from './idle-collection.ts'

const MB = 1024 * 1024
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Resolves at a forced collection of this kind, as opposed to V8's own. */
function nextCollection(kind: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as { detail?: { kind: number; flags: number } }[])
      if (detail?.kind === kind && detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) resolve()
  })
  observer.observe({ entryTypes: ['gc'] })
  onTestFinished(() => observer.disconnect())
  return promise
}

test('an idle process collects garbage', async () => {
  const collected = nextCollection(constants.NODE_PERFORMANCE_GC_MAJOR)
  const stop = collectWhenIdle(silent, 500)
  await collected
  await stop()
})

test('some megabytes of buffers trigger a minor collection', async () => {
  const collected = nextCollection(constants.NODE_PERFORMANCE_GC_MINOR)
  for (let passed = 0; passed < 32 * MB; passed += 64 * 1024) noteBuffer(64 * 1024)
  await collected
})

test('a collection is worth it when the heap has grown by a quarter and by 8 MB', () => {
  expect(hasGrown(50 * MB, 0)).toBe(true)
  expect(hasGrown(60 * MB, 50 * MB)).toBe(false)
  expect(hasGrown(65 * MB, 50 * MB)).toBe(true)
  expect(hasGrown(12 * MB, 5 * MB)).toBe(false)
  expect(hasGrown(240 * MB, 200 * MB)).toBe(false)
})
