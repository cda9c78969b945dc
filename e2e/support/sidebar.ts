import type { Page } from '@playwright/test'
import { composer, expect } from './fixtures.ts'
import { toast } from './message-rows.ts'

/** The row of a channel, or of a direct message by its people. */
export const row = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
/** Opens a conversation. Until its name is shown, the box may still be that of the one before. */
export async function goTo(page: Page, name: string) {
  await row(page, name).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

/** The button that takes back what a toast tells. The toast stays while somebody points at it. */
export async function undoButton(page: Page, text: string) {
  const undo = toast(page, text).getByRole('button', { name: 'Undo' })
  await undo.hover()
  return undo
}

/** Opens the menu of a channel's row and picks from it. */
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
