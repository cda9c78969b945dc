import type { Page } from '@playwright/test'
import {
  ask as askAs,
  composer,
  createChannel,
  expect,
  isOpen,
  message,
  showChannel,
  tokenOf,
  usernameOf,
} from './fixtures.ts'

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

/** Several people in a channel of their own, which is shown where their pages are open; answers its id. */
export async function together(first: Page, ...others: Page[]) {
  const name = usernameOf('threads')
  const id = await createChannel(first, name)
  for (const other of others) {
    await askAs(other, 'POST', `/api/channels/${id}/join`)
    await showChannel(other, id, name)
    if (isOpen(other)) await expect(composer(other)).toBeVisible()
  }
  return id
}
