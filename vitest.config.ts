import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'web/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: 'server/test/database.ts',
    testTimeout: process.env['LONG'] === '1' ? 200_000 : 20_000,
    hookTimeout: 60_000,
    // What is waited for comes at once, but not on a machine that does much else.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
})
