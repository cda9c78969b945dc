import type { Page } from '@playwright/test'
import { callApi, expect } from './fixtures.ts'

export const list = (page: Page) => page.getByRole('region', { name: 'My threads' })
/** The thread that starts with a text. */
export const block = (page: Page, text: string) => list(page).getByRole('listitem').filter({ hasText: text })
export const replies = (page: Page, text: string) => block(page, text).getByRole('article').locator('.prose')
export const box = (page: Page, text: string) => block(page, text).getByPlaceholder('Reply to thread...')
export const link = (page: Page) => page.getByRole('link', { name: /^Threads/ })
export const heads = (page: Page) =>
  list(page).getByRole('listitem').getByRole('article').locator('.prose').allInnerTexts()
export const replyTo = (page: Page, parentMessageId: string, content: string) =>
  callApi(page, 'POST', '/api/threads/messages', { parentMessageId, content })

export async function send(page: Page, channelId: string, content: string): Promise<string> {
  return (await callApi(page, 'POST', '/api/messages', { channelId, content })).id
}

/** Starts writing a reply on the threads page. */
export async function write(page: Page, thread: string, text: string) {
  await block(page, thread).getByRole('button', { name: 'Reply to thread...' }).click()
  await expect(box(page, thread)).toBeFocused()
  await page.keyboard.type(text)
}
