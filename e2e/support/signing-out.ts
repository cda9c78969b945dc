import type { Page } from '@playwright/test'
import { untilListening, untilPreloaded } from './late-parts.ts'

export const signOut = (page: Page) => page.getByRole('button', { name: 'Sign Out' }).click()
export const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome back' })

export async function signInAs(page: Page, username: string) {
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Waits until a tab notices sign-outs of other tabs, which it does once it is idle; it leaves at once if there was one before. */
export const untilFollowingSignOut = (page: Page) => untilListening(page, 'window', 'pageshow')

/** Waits until the chunks that signing out needs offline have loaded. */
export async function untilOfflineReady(page: Page) {
  for (const part of ['sign-out-dialog', 'sign-in-page', 'toaster']) await untilPreloaded(page, part)
}
