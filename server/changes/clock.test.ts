import { afterEach, expect, test, vi } from 'vitest'
import { startParley } from '../test/support/parley.ts'

afterEach(() => void vi.useRealTimers())

test('a clock that differs from the database’s by more than a minute is logged once, and its tokens stay valid', async () => {
  const log: string[] = []
  const lines = () => log.filter((msg) => msg.includes('clock'))
  const parley = await startParley({ LOG_LEVEL: 'info' }, { write: (line) => log.push(JSON.parse(line).msg) })
  const before = await parley.person('ada')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 24 * 3_600_000 })
  await expect.poll(lines).toHaveLength(1)
  expect(lines()[0]).toMatch(/^The clock of this machine is 2592\d\d s ahead of the database’s, .*sign in.*NTP/)
  const during = await parley.person('bob')
  for (const { get } of [before, during]) expect((await get('/api/channels')).status).toBe(200)
  vi.useRealTimers()
  for (const { get, listen } of [before, during]) {
    expect((await get('/api/channels')).status).toBe(200)
    expect((await listen()).socket.connected).toBe(true)
  }
  await expect.poll(lines).toHaveLength(2)
  expect(lines()[1]).toBe('the clock of this machine agrees with the database’s again')
})
