import { expect, test } from 'vitest'
import type { FollowedThread } from '#contract/threads'
import { keptThreads } from './kept-threads.ts'

const threads = (...ids: string[]) => new Map(ids.map((threadId) => [threadId, { threadId } as FollowedThread]))
const ids = (kept: ReadonlyMap<string, FollowedThread>) => [...kept.keys()]

test('only a thread that disappears while in use is kept', () => {
  const listed = threads('a', 'b', 'c')
  const writing = keptThreads(threads(), listed, new Set(['b']))
  expect(ids(writing)).toEqual(['b'])
  // Again with the next key.
  expect(keptThreads(writing, listed, new Set(['b']))).toBe(writing)
  const gone = keptThreads(writing, threads('c'), new Set(['b']))
  expect(ids(gone)).toEqual(['b'])
  expect(ids(keptThreads(gone, threads('c'), new Set()))).toEqual(['b'])
  // Sent before the thread disappears.
  expect(ids(keptThreads(writing, listed, new Set()))).toEqual([])
})

test('a thread that comes back is no longer kept, unless it is in use', () => {
  const gone = keptThreads(threads('a'), threads('b'), new Set())
  expect(ids(keptThreads(gone, threads('a', 'b'), new Set()))).toEqual([])
  expect(ids(keptThreads(gone, threads('a', 'b'), new Set(['a'])))).toEqual(['a'])
})

test('a thread is kept in its last version, not in the one from when its use began', () => {
  const listed = threads('a')
  const writing = keptThreads(threads(), listed, new Set(['a']))
  const newer = threads('a')
  const changed = keptThreads(writing, newer, new Set(['a']))
  expect(changed.get('a')).toBe(newer.get('a'))
  expect(keptThreads(changed, threads(), new Set(['a'])).get('a')).toBe(newer.get('a'))
})
