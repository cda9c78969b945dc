import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Asks in both themes whether everyone can use what is shown; leaves the light one. */
export async function expectAccessible(page: Page, screen = 'page') {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Without the second page that it would open for frames, of which there are none.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    axe.options({
      // Nothing reads the details of what passes.
      resultTypes: ['violations'],
      // Of the other theme only the colours are other ones.
      ...(colorScheme === 'dark' && { runOnly: ['color-contrast'] }),
    })
    const { violations } = await axe.analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      `${screen}, ${colorScheme}`,
    ).toEqual([])
  }
}
