import { configDefaults, defineConfig } from 'vitest/config'
import { languages } from './scripts/languages/vite-plugin.ts'
import { cacheCompiledCode } from './server/test/support/cache-compiled-code.ts'
import { preloadCheapPasswords } from './server/test/support/preload-cheap-passwords.ts'
import { STATE_TIMEOUT_MS } from './server/test/support/timeouts.ts'

cacheCompiledCode()
preloadCheapPasswords()

const isLong = process.env['LONG'] === '1'
/** `npm test` leaves out the long lane. */
const exclude = [...configDefaults.exclude, ...(isLong ? [] : ['**/*.long.test.ts'])]

const timeouts = {
  // Longer than waiting for several states, so that the failure names the missing state.
  testTimeout: isLong ? 600_000 : 10 * STATE_TIMEOUT_MS,
  hookTimeout: 10 * STATE_TIMEOUT_MS,
  expect: { poll: { timeout: STATE_TIMEOUT_MS } },
}

export default defineConfig({
  test: {
    globalSetup: 'server/test/support/database.ts',
    // One more than cores, because tests wait a quarter of their time.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude,
          setupFiles: 'server/test/support/setup.ts',
          isolate: false,
          ...timeouts,
        },
      },
      // The client's modules hold the state of a page, so each file loads its own (fresh-modules.ts).
      {
        plugins: [languages()],
        test: {
          name: 'web',
          include: ['contract/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts', 'e2e/**/*.test.ts'],
          exclude,
          setupFiles: [
            'server/test/support/setup.ts',
            'web/test/local-storage.ts',
            'web/test/english.ts',
            'web/test/fresh-modules.ts',
          ],
          isolate: false,
          ...timeouts,
        },
      },
    ],
  },
})
