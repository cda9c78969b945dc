import { defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './server/test/patience.ts'

export default defineConfig({
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: 'server/test/database.ts',
    // Longer than the patience within: what does not come is named, not timed out.
    testTimeout: process.env['LONG'] === '1' ? 600_000 : 4 * PATIENCE_MS,
    hookTimeout: 4 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    maxWorkers: 2,
  },
})
