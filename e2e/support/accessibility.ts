import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The themes differ only in their colors, so the dark one is left to long runs. */
const isLong = process.env['LONG'] === '1' || process.env['PICTURES'] !== undefined
const themes = isLong ? (['dark', 'light'] as const) : (['light'] as const)

/** Expects no accessibility violations; leaves the light theme on. */
export async function expectAccessible(page: Page, screen = 'page') {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The default mode opens a second page for frames, of which there are none.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    axe.options({
      // Details of passed rules are not needed.
      resultTypes: ['violations'],
      ...(colorScheme === 'dark' && { runOnly: ['color-contrast'] }),
    })
    const { violations } = await axe.analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      `${screen}, ${colorScheme}`,
    ).toEqual([])
  }
}
