import { expect, test } from 'vitest'
import { clockTime } from './clock-time.ts'
import { shortTime } from './short-time.ts'

const now = new Date(2026, 10, 22, 15, 0)
const at = (...[year, month, day, hour]: [number, number, number, number]) =>
  new Date(year, month, day, hour).toISOString()

test.each([
  [at(2026, 10, 22, 5), clockTime(at(2026, 10, 22, 5))],
  [at(2026, 10, 21, 23), 'Sat'],
  [at(2026, 10, 16, 0), 'Mon'],
  [at(2026, 10, 15, 23), 'Nov 15'],
  [at(2026, 0, 1, 9), 'Jan 1'],
  [at(2025, 10, 20, 9), 'Nov 20, 2025'],
])('%s is %s', (time, said) => {
  expect(shortTime(time, now)).toBe(said)
})
