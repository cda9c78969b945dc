import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

type Section =
  | 'Profile'
  | 'Appearance'
  | 'Notifications'
  | 'Keyboard'
  | 'Accessibility'
  | 'Email'
  | 'Password'
  | 'Two-step sign-in'
  | 'Devices'
  | 'Account'

export const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' })

/** Opens the settings at a section, and returns the dialog. */
export async function openSettings(page: Page, section: Section = 'Profile') {
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(settings(page)).toBeVisible()
  if (section !== 'Profile') await showSettings(page, section)
  return settings(page)
}

/** Shows another section of the open settings. */
export const showSettings = (page: Page, section: Section) =>
  settings(page).getByRole('button', { name: section, exact: true }).click()

/** Disables the device cache from now on: further pages of this browser start like the first one. */
export const keepNothing = (page: Page) =>
  page.context().addInitScript(() => localStorage.setItem('parley.keep', 'off'))
