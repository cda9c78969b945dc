import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { test as base, expect } from './fixtures.ts'
import { startServer } from './server.ts'

/** A Friday before noon, so that every run shows the same days and times. */
export const NOW = '2026-03-06T11:46:00Z'

/**
 * `demo`: a page of Ada, who has many unread messages, in a workspace that `npm run seed` filled while the server was running.
 */
export const test = base.extend<{ demo: Page }>({
  demo: async ({ browser }, use) => {
    const { address, dataDir, databaseUrl, remove } = await startServer()
    try {
      const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, REDIS_URL: '', TZ: 'UTC' }
      await promisify(execFile)(process.execPath, ['scripts/seed.ts', '--now', NOW], { env })
      const context = await browser.newContext({ baseURL: address, timezoneId: 'UTC' })
      const page = await context.newPage()
      await page.clock.setFixedTime(NOW)
      const data = { username: 'ada', password: 'correct horse' }
      const answer = await page.request.post('/api/auth/sign-in/username', { data, headers: { origin: address } })
      expect(answer.status()).toBe(200)
      await page.goto('/')
      await expect(page.getByRole('heading', { name: 'general' })).toBeVisible()
      await use(page)
      await context.close()
    } finally {
      await remove()
    }
  },
})
