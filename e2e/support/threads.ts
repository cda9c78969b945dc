import type { Page } from '@playwright/test'
import { callApi, composer, createChannel, expect, isOpen, message, showChannel, uniqueName } from './fixtures.ts'
import { clickRowAction } from './message-rows.ts'

export const panel = (page: Page) => page.getByRole('complementary', { name: 'Thread' })
export const conversation = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true })
export const replyBox = (page: Page) => page.getByPlaceholder('Reply to thread...')
export const inConversation = (page: Page, text: string) =>
  message(page, text).and(conversation(page).getByRole('article'))
export const inThread = (page: Page, text: string) => message(page, text).and(panel(page).getByRole('article'))
export const replyTexts = (page: Page) => panel(page).getByRole('article').locator('.prose').allInnerTexts()

export async function reply(page: Page, text: string) {
  await replyBox(page).fill(text)
  await replyBox(page).press('Enter')
}

export async function openThread(page: Page, text: string) {
  await clickRowAction(page, inConversation(page, text), 'Reply in thread')
  await expect(replyBox(page)).toBeVisible()
}

export const parentId = async (page: Page, text: string) =>
  (await inConversation(page, text).and(page.locator('[data-message]')).getAttribute('data-message')) as string

/** Creates a channel with these members, shows it on their open pages, and returns its id. */
export async function createSharedChannel(first: Page, ...others: Page[]) {
  const name = uniqueName('threads')
  const id = await createChannel(first, name)
  for (const other of others) {
    await callApi(other, 'POST', `/api/channels/${id}/join`)
    await showChannel(other, id, name)
    if (isOpen(other)) await expect(composer(other)).toBeVisible()
  }
  return id
}
