import type { Page } from '@playwright/test'
import { composer, expect } from './fixtures.ts'
import { toast } from './message-rows.ts'

/** The sidebar row of a channel or a direct message. */
export const row = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
/** Opens a conversation, and waits for its name: before that, the composer may still belong to the previous one. */
export async function goTo(page: Page, name: string) {
  await row(page, name).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

/** The Undo button of a toast. Hovers over it, which keeps the toast open. */
export async function undoButton(page: Page, text: string) {
  const undo = toast(page, text).getByRole('button', { name: 'Undo' })
  await undo.hover()
  return undo
}

/** Chooses from the menu of a channel's row. */
export async function chooseChannelAction(page: Page, channel: string, name: string) {
  await row(page, channel).hover()
  await page.getByRole('button', { name: `Actions for ${channel}` }).click()
  await page.getByRole('menuitem', { name }).click()
}

export async function joinChannel(page: Page, name: string) {
  await row(page, name).click()
  await page.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(page)).toBeVisible()
}

/** Chooses from the menu opened by the product's name. */
export async function chooseFromWorkspaceMenu(page: Page, name: string) {
  const item = page.getByRole('menuitem', { name })
  // The menus load once the page is idle.
  await expect(async () => {
    if (!(await item.isVisible())) await page.getByRole('button', { name: /^Parley/ }).click()
    await expect(item).toBeVisible({ timeout: 2000 })
  }).toPass()
  await item.click()
}
