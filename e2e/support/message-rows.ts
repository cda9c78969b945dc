import type { Locator, Page } from '@playwright/test'
import { expect, message } from './fixtures.ts'

/** Clicks a button in the toolbar of a stored message. */
export const clickAction = (page: Page, text: string, name: string) => clickRowAction(page, message(page, text), name)

/** Clicks a button in the toolbar of a row once it is stored: an optimistic row is replaced when the server confirms it. */
export async function clickRowAction(page: Page, anyRow: Locator, name: string) {
  const row = anyRow.and(page.locator('[data-message]'))
  await expect(async () => {
    await page.mouse.move(0, 0)
    await row.hover()
    await row.getByRole('button', { name }).first().click({ timeout: 5000 })
  }).toPass()
}

/** Chooses from the menu of a message. */
export async function chooseAction(page: Page, text: string, name: string) {
  await clickAction(page, text, 'More actions')
  await page.getByRole('menuitem', { name }).click()
}

export const toast = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text })

/** The id of a message on the page; waits until the server has stored it. */
export const messageId = async (page: Page, text: string) =>
  (await page.locator('[data-message]').filter({ hasText: text }).getAttribute('data-message')) as string
