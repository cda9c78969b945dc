import { afterEach, expect, test } from 'vitest'
import { databaseTime, setDatabaseTime } from './clock.ts'
import { newId } from './ids.ts'

const HOUR_MS = 3_600_000

afterEach(() => setDatabaseTime(Date.now() / 1000))

test('ids sort by creation, however fast they are created and whatever the clock does', () => {
  const ids = Array.from({ length: 2000 }, newId)
  setDatabaseTime((databaseTime() - 60_000) / 1000)
  ids.push(...Array.from({ length: 2000 }, newId))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('an id contains the database’s time', () => {
  setDatabaseTime((Date.now() + HOUR_MS) / 1000)
  const ms = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
  expect(Math.abs(ms - HOUR_MS - Date.now())).toBeLessThan(1000)
})
