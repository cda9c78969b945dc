import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than cores: a journey waits a quarter of its time.
  workers: 3,
  // Both are for machines that do much else: what is waited for comes within a second where nothing else runs.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  // Pictures are taken of a workspace of their own; first, because nothing else takes as long.
  projects: [
    { name: 'screens', testMatch: '**/screens.spec.ts' },
    { name: 'journeys', testIgnore: '**/screens.spec.ts' },
  ],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // What moves has to be waited for before it can be clicked.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording costs a third of the time: TRACE=1 does it when a failure does not explain itself.
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
