import { expect, test } from 'vitest'
import { startPolling } from './poll.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

test('stopping waits for the current run, and starts no other', async () => {
  const done: string[] = []
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const stop = startPolling({ intervalMs: 0, log: silent, failure: '' }, async () => {
    begin()
    await held
    done.push('run')
    return 0
  })
  await began
  const stopped = stop().then(() => done.push('stopped'))
  release()
  await stopped
  // A second run of the first poller would precede the first run of the second.
  const { promise: ran, resolve: onRun } = Promise.withResolvers<void>()
  const stopSecond = startPolling({ intervalMs: 0, log: silent, failure: '' }, async () => {
    onRun()
    return 0
  })
  await ran
  await stopSecond()
  expect(done).toEqual(['run', 'stopped'])
})

test('a requested run starts soon, but after the current one', async () => {
  const begun: number[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: again, resolve: onAgain } = Promise.withResolvers<void>()
  const stop = startPolling({ intervalMs: 3_600_000, log: silent, failure: '' }, async () => {
    begun.push(begun.length)
    if (begun.length > 1) return onAgain() as undefined
    // The current run misses anything committed after this point.
    stop.runSoon()
    stop.runSoon()
    await held
    return undefined
  })
  stop.runSoon()
  await expect.poll(() => begun).toEqual([0])
  release()
  await again
  await stop()
  expect(begun).toEqual([0, 1])
})

test('a failed run is logged, and the next one runs', async () => {
  const lines: string[] = []
  const log = { ...silent, warn: (_: unknown, message?: string) => void lines.push(message ?? '') }
  const { promise: again, resolve: onAgain } = Promise.withResolvers<void>()
  let runs = 0
  const stop = startPolling({ intervalMs: 1, log, failure: 'it failed' }, async () => {
    if (++runs === 1) throw new Error('once')
    onAgain()
    return undefined
  })
  await again
  await stop()
  expect(lines).toEqual(['it failed'])
})
