import { afterEach, expect, test, vi } from 'vitest'
import { newId } from './ids.ts'

afterEach(() => void vi.useRealTimers())

test('ids sort by creation, however fast they are made and whatever the clock does', () => {
  const ids = Array.from({ length: 2000 }, newId)
  vi.useFakeTimers({ now: Date.now() - 60_000, toFake: ['Date'] })
  ids.push(...Array.from({ length: 2000 }, newId))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})
