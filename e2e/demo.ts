import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, type Page } from '@playwright/test'
import type { startServer } from './server.ts'

/** A Friday before noon, so that every run shows the same days and times. */
export const NOW = '2026-03-06T11:46:00Z'

/** Plays the demo in the workspace of a running server. */
export async function seed({ dataDir }: Awaited<ReturnType<typeof startServer>>) {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', TZ: 'UTC' }
  await promisify(execFile)(process.execPath, ['scripts/seed.ts', '--now', NOW], { env })
}

/** Signs in as the one whom much waits for. */
export async function signInAsAda(page: Page, address: string) {
  await page.clock.setFixedTime(NOW)
  const data = { username: 'ada', password: 'correct horse' }
  const headers = { origin: address }
  const answer = await page.request.post(`${address}/api/auth/sign-in/username`, { data, headers })
  expect(answer.status()).toBe(200)
  await page.goto(`${address}/`)
  await expect(page.getByRole('heading', { name: 'general' })).toBeVisible()
}
