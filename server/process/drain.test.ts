import { expect, test } from 'vitest'
import { createDrain } from './drain.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const never = new AbortController().signal

/** A node with peers and `count` connections; `calls` records what happened, in order. */
function openNode(count: number, { seconds = 0.5, peers = ['another'], pending = (): number => 0 } = {}) {
  const calls: string[] = []
  const server = { maxRequestsPerSocket: 0 }
  const drain = createDrain({
    seconds,
    peers: () => peers,
    connections: () => Array.from({ length: count }, (_, n) => ({ close: () => void calls.push(`close ${n}`) })),
    pending: () => {
      calls.push('pending')
      return pending()
    },
    server,
    log: silent,
  })
  return { drain, calls, server }
}

test.each([
  ['alone', { peers: [] }],
  ['with a grace period of 0', { seconds: 0 }],
])('a node %s stops immediately', async (_, options) => {
  const { drain, calls, server } = openNode(3, options)
  await drain.run(never)
  expect(calls).toEqual([])
  expect(drain.isDraining()).toBe(false)
  expect(server.maxRequestsPerSocket).toBe(0)
})

test('each connection is closed once, then the node waits for requests in progress', async () => {
  let left = 3
  const { drain, calls, server } = openNode(20, { pending: () => left-- })
  const done = drain.run(never)
  expect(drain.isDraining()).toBe(true)
  expect(server.maxRequestsPerSocket).toBe(1)
  expect(calls).toEqual([])
  await done
  const closed = Array.from({ length: 20 }, (_, n) => `close ${n}`)
  expect(calls.slice(0, 20)).toEqual(closed)
  expect(new Set(calls.slice(20))).toEqual(new Set(['pending']))
  expect(left).toBeLessThan(0)
})

test('requests in progress don’t delay the stop beyond the grace period', async () => {
  const { drain } = openNode(1, { pending: () => 1 })
  await drain.run(never)
})

test('a second request to stop skips the wait', async () => {
  const hurrying = new AbortController()
  const { drain, calls } = openNode(1, { seconds: 3600, pending: () => 1 })
  const done = drain.run(hurrying.signal)
  hurrying.abort()
  await done
  expect(calls.filter((call) => call !== 'pending')).toEqual([])
})
