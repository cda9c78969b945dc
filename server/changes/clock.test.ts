import { afterEach, expect, test, vi } from 'vitest'
import { startParley } from '../test/support/parley.ts'

afterEach(() => void vi.useRealTimers())

test('a clock that differs from the database’s by more than a minute is logged once', async () => {
  const log: string[] = []
  const lines = () => log.filter((msg) => msg.includes('clock'))
  await startParley({ LOG_LEVEL: 'info' }, { write: (line) => log.push(JSON.parse(line).msg) })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 24 * 3_600_000 })
  await expect.poll(lines).toHaveLength(1)
  expect(lines()[0]).toMatch(/^The clock of this machine is 2592\d\d s ahead of the database’s, .*401.*NTP/)
  vi.useRealTimers()
  await expect.poll(lines).toHaveLength(2)
  expect(lines()[1]).toBe('the clock of this machine agrees with the database’s again')
})
