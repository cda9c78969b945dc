import type { Page } from '@playwright/test'
import { expect, message } from './fixtures.ts'

/** Does something with a message by its toolbar. A row is another one when the server has confirmed its message. */
export async function act(page: Page, text: string, name: string) {
  await expect(async () => {
    await page.mouse.move(0, 0)
    await message(page, text).hover()
    await message(page, text).getByRole('button', { name }).first().click({ timeout: 1000 })
  }).toPass()
}

/** Does something with a message by its menu. */
export async function choose(page: Page, text: string, name: string) {
  await act(page, text, 'More actions')
  await page.getByRole('menuitem', { name }).click()
}

export const toast = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })

/** The id of a message on the page, as soon as the server has given it one: until then there is little to do with it. */
export const messageId = async (page: Page, text: string) =>
  (await page.locator('[data-message]').filter({ hasText: text }).getAttribute('data-message')) as string
