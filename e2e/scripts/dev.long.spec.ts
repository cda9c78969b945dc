import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { test as base, expect } from '@playwright/test'
import { composer, message, say } from '../support/fixtures.ts'

interface Dev {
  child: ChildProcess
  dataDir: string
  address: string
  /** How often a text has been printed. */
  printed: (text: string) => number
}

const test = base.extend<{ dev: Dev }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  dev: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-dev-'))
    const settings = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', DATABASE_URL: '', PUBLIC_URL: '' }
    const child = spawn(process.execPath, ['scripts/dev.mjs'], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += stripVTControlCharacters(String(chunk))
    })
    const address = () => /Local: +(http:\/\/[\w.]+:\d+)\//.exec(output)?.[1]
    try {
      await expect.poll(address, { timeout: 120_000 }).toBeDefined()
      await expect.poll(() => output, { timeout: 120_000 }).toContain('Parley is ready')
      await use({ child, dataDir, address: String(address()), printed: (text) => output.split(text).length - 1 })
    } finally {
      await stop(child)
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    }
  },
})

async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Like an editor that saves an unchanged file. */
const touch = (file: string) => utimes(file, new Date(), new Date())

test('npm run dev hot-reloads a changed module, restarts a changed server, and stops together with its database, also on a second signal', async ({
  dev,
  page,
}) => {
  // In a fresh clone, Vite bundles the packages first, which may reload the page.
  test.slow()
  const updates: string[] = []
  page.on('console', (line) => updates.push(line.text()))
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))

  await page.goto(`${dev.address}/sign-up`)
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'Open workspace' }).click({ timeout: 120_000 })
  await expect(page.getByRole('heading', { name: 'general' })).toBeVisible({ timeout: 120_000 })
  await say(page, 'built by nobody')
  await expect(message(page, 'built by nobody')).toBeVisible()
  await expect(message(page, 'Waiting to send')).toHaveCount(0)

  // Proves that the page was not reloaded.
  await page.evaluate(() => document.documentElement.setAttribute('data-test', 'same'))
  await composer(page).fill('half a thought')
  await touch('web/features/messages/row/message-row.tsx')
  await expect.poll(() => updates.join('\n')).toContain('hot updated: /features/messages/row/message-row.tsx')
  await expect(message(page, 'built by nobody')).toBeVisible()
  await expect(composer(page)).toHaveValue('half a thought')
  await expect(page.locator('html')).toHaveAttribute('data-test', 'same')

  const starts = dev.printed('Parley is ready')
  await touch('server/monitoring/health.ts')
  await expect.poll(() => dev.printed('Parley is ready'), { timeout: 120_000 }).toBeGreaterThan(starts)
  await say(page, 'over the new server')
  await expect(message(page, 'Waiting to send')).toHaveCount(0, { timeout: 120_000 })
  await page.reload()
  await expect(message(page, 'over the new server')).toBeVisible()
  expect(errors).toEqual([])

  const file = join(dev.dataDir, 'postgres/postmaster.pid')
  const [pid] = (await readFile(file, 'utf8')).split('\n').map(Number)
  expect(pid).toBeGreaterThan(0)
  const ended = once(dev.child, 'exit')
  dev.child.kill('SIGTERM')
  dev.child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(existsSync(file)).toBe(false)
  expect(() => process.kill(pid as number, 0)).toThrow('ESRCH')
})
