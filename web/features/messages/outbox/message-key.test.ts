import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { newMessageKey } from './message-key.ts'

const PREFIX = 'temp-'

test('keys are unique version 7 UUIDs that sort by time', () => {
  const times = [
    '1970-01-01T00:00:00.000Z',
    '2026-11-23T01:02:03.004Z',
    '2026-11-23T01:02:03.005Z',
    '2100-01-01T00:00:00.000Z',
  ]
  const keys = times.map(newMessageKey)
  for (const key of keys) {
    const id = key.slice(PREFIX.length)
    expect([key.startsWith(PREFIX), validate(id), version(id)]).toEqual([true, true, 7])
  }
  expect(keys.toSorted()).toEqual(keys)
  const [time = ''] = times
  expect(new Set(Array.from({ length: 100 }, () => newMessageKey(time))).size).toBe(100)
})
