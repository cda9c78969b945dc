import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Expects no accessibility violations in either theme; leaves the light one on. */
export async function expectAccessible(page: Page, screen = 'page') {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The default mode opens a second page for frames, of which there are none.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    axe.options({
      // Details of passed rules are not needed.
      resultTypes: ['violations'],
      // The themes differ only in their colours.
      ...(colorScheme === 'dark' && { runOnly: ['color-contrast'] }),
    })
    const { violations } = await axe.analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      `${screen}, ${colorScheme}`,
    ).toEqual([])
  }
}
