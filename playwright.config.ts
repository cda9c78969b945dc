import { defineConfig } from '@playwright/test'
import { preloadCheapPasswords } from './server/test/support/preload-cheap-passwords.ts'

preloadCheapPasswords()

const isLong = process.env['LONG'] === '1'
/** Pictures of every screen are part of the long lane, and made by `npm run pictures`. */
const hasPictures = isLong || process.env['PICTURES'] !== undefined
const PICTURES = /\/(screens|gallery|languages)\.long\.spec\.ts$/
/** The pictures of the README: `npm run tour`. */
const TOUR = /\/tour\.spec\.ts$/
const LONG_FILE = /\.long\.spec\.ts$/
/** What takes an hour by itself: only by `npm run test:soak`. */
const SOAK = /\.soak\.spec\.ts$/

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './e2e/support/cluster.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  // One more than cores, because a journey waits a quarter of its time.
  workers: 3,
  // For busy machines: on an idle one, every state comes within a second.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  // Screenshots use a workspace of their own; they start first because they take longest.
  projects: [
    ...(hasPictures ? [{ name: 'screens', testMatch: PICTURES }] : []),
    ...(process.env['TOUR'] ? [{ name: 'tour', testMatch: TOUR }] : []),
    ...(process.env['SOAK'] ? [{ name: 'soak', testMatch: SOAK }] : []),
    // Without LONG=1, `npm test` leaves out what is tagged @long too.
    {
      name: 'journeys',
      testIgnore: [isLong ? PICTURES : LONG_FILE, SOAK, TOUR],
      ...(!isLong && { grepInvert: /@long\b/ }),
    },
  ],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Playwright waits for animations before it clicks.
    contextOptions: { reducedMotion: 'reduce' },
    // Playwright can't intercept the requests of a service worker; the journeys about it allow it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Recording costs a third of the time, so it needs TRACE=1.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
    launchOptions: {
      ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }),
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
