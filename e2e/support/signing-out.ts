import { type BrowserContext, expect, type Page } from '@playwright/test'
import { untilListening, untilPreloaded } from './late-parts.ts'

export const signOut = (page: Page) => page.getByRole('button', { name: 'Sign Out' }).click()
export const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome back' })

/** The names of cookies, without the one that marks a known browser, which grants no access and identifies nobody. */
export const cookieNames = async (context: BrowserContext) =>
  (await context.cookies()).map(({ name }) => name).filter((name) => name !== 'parley.browser')

export async function signInAs(page: Page, username: string) {
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Ends all sessions of a user except a new one, from another device. */
export async function endElsewhere(elsewhere: Page, username: string, address: string) {
  const { origin } = new URL(address)
  const data = { username, password: 'correct horse' }
  await elsewhere.request.post('/api/auth/sign-in/username', { data, headers: { origin } })
  const { token } = await (await elsewhere.request.get('/api/auth/token')).json()
  const headers = { authorization: `Bearer ${token}` }
  expect((await elsewhere.request.delete('/api/sessions?except=current', { headers })).ok()).toBe(true)
}

/**
 * Waits until a tab follows sign-outs of other tabs, which it does once it is idle; if there was one before, it leaves
 * immediately.
 */
export const untilFollowingSignOut = (page: Page) => untilListening(page, 'window', 'pageshow')

/** Waits until the chunks needed for signing out offline have loaded. */
export async function untilOfflineReady(page: Page) {
  for (const part of ['preloaded', 'toaster']) await untilPreloaded(page, part)
}
