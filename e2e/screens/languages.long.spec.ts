import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { test } from '../support/demo.ts'
import { callApi } from '../support/fixtures.ts'
import { settled } from '../support/settled.ts'
import { goTo } from '../support/sidebar.ts'

const isAll = process.env['PICTURES'] === 'all'
/** German has long words, Arabic runs from right to left, and the pseudo-locale shows what is not translated. */
const LANGUAGES = isAll ? ['de', 'fr', 'es', 'ja', 'ar', 'en-XA'] : ['de', 'ar']
const TAKEN = isAll
  ? (['light', 'dark'] as const).flatMap((theme) => [1440, 390].map((width) => [width, theme] as const))
  : ([[390, 'dark']] as const)

/** Switches the open page to a language, without a reload. */
async function speak(page: Page, language: string | null) {
  await callApi(page, 'PATCH', '/api/users/me', { language })
  const isPseudo = language === 'en-XA'
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${isPseudo ? 'en' : (language ?? 'en')}`))
  if (isPseudo) await expect(page.getByText(/^\[.*~\]$/).first()).toBeAttached()
}

/** Saves pictures of the open page in each language. */
async function pictures(page: Page, name: string) {
  for (const language of LANGUAGES) {
    await speak(page, language)
    await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
    for (const [width, colorScheme] of TAKEN) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await settled(page)
      const file = `test-results/screens/language-${name}-${language}-${width}-${colorScheme}.png`
      await page.screenshot({ path: file })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), file).toBe(width)
    }
    if (language === 'ar') await expectAccessible(page, `${name} in Arabic`)
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await speak(page, null)
}

test('the screens in other languages, which change while they are open', async ({ demo: page }) => {
  test.setTimeout(400_000)
  await pictures(page, 'channel')

  await goTo(page, 'launch')
  await page
    .getByRole('button', { name: /^2 replies/ })
    .first()
    .click()
  await expect(page.getByRole('complementary', { name: 'Thread' })).toBeVisible()
  await pictures(page, 'thread')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Appearance' }).click()
  await pictures(page, 'settings')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('link', { name: 'Threads' }).click()
  await expect(page.getByRole('heading', { name: 'Threads', exact: true })).toBeVisible()
  await pictures(page, 'threads')

  await page.keyboard.press('ControlOrMeta+k')
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill('cake')
  await expect(
    search
      .getByText('1 result')
      .or(search.getByText(/\d+ results/))
      .first(),
  ).toBeVisible()
  await pictures(page, 'search')
})
