import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, tokenOf, usernameOf } from './people.ts'

export const panel = (page: Page) => page.getByRole('complementary', { name: 'Thread' })
export const conversation = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
export const replyBox = (page: Page) => page.getByPlaceholder('Reply to thread...')
export const said = (page: Page, text: string) => message(page, text).and(conversation(page).getByRole('article'))
export const replied = (page: Page, text: string) => message(page, text).and(panel(page).getByRole('article'))
export const replies = (page: Page) => panel(page).getByRole('article').locator('.prose').allInnerTexts()

export async function reply(page: Page, text: string) {
  await replyBox(page).fill(text)
  await replyBox(page).press('Enter')
}

export async function openThread(page: Page, text: string) {
  await said(page, text).hover()
  await said(page, text).getByRole('button', { name: 'Reply in thread' }).click()
  await expect(replyBox(page)).toBeVisible()
}

export const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** Asks the API as the person of a page. */
export async function ask(page: Page, method: 'get' | 'post' | 'delete', path: string, data?: object) {
  const token = await tokenOf(page)
  const answer = await page.request[method](path, {
    headers: { authorization: `Bearer ${token}` },
    ...(data && { data }),
  })
  expect(answer.status()).toBeLessThan(300)
  return answer.status() === 204 ? undefined : answer.json()
}

export const parentId = async (page: Page, text: string) =>
  (await said(page, text).and(page.locator('[data-message]')).getAttribute('data-message')) as string

/** Several people in a channel of their own. */
export async function together(first: Page, ...others: Page[]) {
  await createChannel(first, usernameOf('threads'))
  for (const other of others) {
    await other.goto(new URL(first.url()).pathname)
    await other.getByRole('button', { name: 'Join channel' }).click()
    await expect(composer(other)).toBeVisible()
  }
}
