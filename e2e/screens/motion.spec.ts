import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'

/** Counts the copies of closed popups that a page shows from now on. */
async function countCopies(page: Page) {
  await page.evaluate(() => {
    const counter = window as unknown as { copies: number }
    counter.copies = 0
    new MutationObserver((records) => {
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLElement && node.inert && node.ariaHidden === 'true') counter.copies++
    }).observe(document.body, { childList: true })
  })
  return () => page.evaluate(() => (window as unknown as { copies: number }).copies)
}

test('a closed dialog fades away but is gone at once for the keyboard and the pointer', async ({ person }) => {
  const ada = await person('Ada Lovelace', { reducedMotion: 'no-preference' })
  const copies = await countCopies(ada)
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await expect(ada.getByRole('dialog')).toBeVisible()
  await ada.keyboard.press('Escape')
  await ada.getByRole('button', { name: 'Create channel' }).click()
  const name = uniqueName('motion')
  await ada.getByRole('dialog').getByLabel('Name').fill(name)
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(composer(ada)).toBeFocused()
  expect(await copies()).toBeGreaterThan(0)
  await expect(ada.locator('body > [inert]')).toHaveCount(0)

  await ada.emulateMedia({ reducedMotion: 'reduce' })
  const still = await countCopies(ada)
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await expect(ada.getByRole('dialog')).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  expect(await still()).toBe(0)
})

test('a button to add a reaction shows in the row that one points at', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('reactions'))
  await say(ada, 'cake?')
  const stored = message(ada, 'cake?').and(ada.locator('[data-message]'))
  await stored.hover()
  await stored.getByRole('button', { name: 'React with 👍' }).click()
  const add = stored.locator('[data-add-reaction]')
  await expect(add).toHaveCSS('opacity', '1')
  await composer(ada).hover()
  await composer(ada).focus()
  await expect(add).toHaveCSS('opacity', '0')
})
