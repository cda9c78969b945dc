import { expect, test, vi } from 'vitest'
import { createSharedReads, createTurns } from './turns.ts'

/** Work that ends when `end` is called. */
function held() {
  const begun = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const work = () => {
    begun.resolve()
    return done.promise
  }
  return { work, begun: begun.promise, end: done.resolve }
}

test('queued work is skipped when its request was aborted', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const turns = createTurns({ total: 2, perUser: 1 })
  const { work, begun, end } = held()
  const first = turns('ada', work)
  await begun
  let done = 0
  const late = Promise.allSettled(Array.from({ length: 50 }, () => turns('ada', async () => done++)))
  vi.advanceTimersByTime(5000)
  const timely = turns('ada', async () => done++)
  end()
  await Promise.all([first, timely])
  expect((await late).every(({ status }) => status === 'rejected')).toBe(true)
  expect(done).toBe(1)
  vi.useRealTimers()
})

test('concurrent identical reads share one query', async () => {
  const kept = new Map<string, string>()
  const shared = createSharedReads(createTurns({ total: 8, perUser: 2 }), (key) => kept.get(key))
  let reads = 0
  const read = async () => {
    reads++
    await new Promise((resolve) => setImmediate(resolve))
    kept.set('page', 'read')
    return 'read'
  }
  const people = Array.from({ length: 100 }, (_, n) => `person-${n}`)
  expect(new Set(await Promise.all(people.map((it) => shared(it, 'page', read))))).toEqual(new Set(['read']))
  expect(reads).toBe(1)
})

test('queued work of one user does not delay others, not even for shared reads', async () => {
  const shared = createSharedReads<string>(createTurns({ total: 8, perUser: 1 }), () => undefined)
  const { work, end } = held()
  const busy = shared('ada', 'first', async () => {
    await work()
    return 'first'
  })
  const behind = shared('ada', 'page', async () => 'read')
  expect(await shared('bob', 'page', async () => 'read')).toBe('read')
  end()
  expect(await Promise.all([busy, behind])).toEqual(['first', 'read'])
})
