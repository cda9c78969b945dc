import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { createServer } from 'vite'
import { expectAccessible } from '../support/accessibility.ts'

const isAll = process.env['PICTURES'] === 'all'
const WIDTHS = isAll ? [2560, 1440, 1024, 390] : [1440, 390]

/** Vite as started by `npm run dev`, without a server: the gallery sends no requests. */
const test = base.extend<{ gallery: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  gallery: async ({}, use) => {
    const cacheDir = await mkdtemp(join(tmpdir(), 'parley-gallery-'))
    const server = await createServer({
      configFile: 'web/vite.config.ts',
      cacheDir,
      logLevel: 'error',
      server: { host: '127.0.0.1', port: 0, strictPort: false, hmr: false },
    })
    try {
      await server.listen()
      await use(`${server.resolvedUrls?.local[0]}dev/gallery`)
    } finally {
      await server.close()
      await rm(cacheDir, { recursive: true, force: true, maxRetries: 5 })
    }
  },
})

test('the gallery shows every part in both themes, and everyone can use it', async ({ gallery, page }) => {
  // Its packages are bundled for the browser first.
  test.setTimeout(480_000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(gallery)
  await expect(page.getByRole('region', { name: 'Lists, dark' })).toBeVisible({ timeout: 180_000 })
  await expect(page.getByText("Couldn't load this. Check your connection.").last()).toBeVisible()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.screenshot({ path: `test-results/screens/gallery-${width}.png`, fullPage: true })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page, 'gallery')

  const names = await page.getByRole('region', { name: 'Over the page' }).getByRole('button').allInnerTexts()
  expect(names).toContain('Dialog')
  // Each page loads hundreds of modules, because the gallery is not built.
  for (const name of isAll ? names.filter((name) => name !== '') : ['Dialog']) {
    await page.goto(`${gallery}?open=${encodeURIComponent(name)}`)
    const opened = page.locator('[role=dialog], [role=alertdialog], [role=menu], aside').first()
    await expect(opened, name).toBeVisible()
    if (!isAll) break
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 844 })
        const file = name.toLowerCase().replaceAll(/\W+/g, '-')
        await page.screenshot({ path: `test-results/screens/gallery-${file}-${width}-${colorScheme}.png` })
      }
    }
  }
  expect(errors).toEqual([])
})
