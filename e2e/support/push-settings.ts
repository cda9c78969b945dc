import type { Page } from '@playwright/test'
import { callApi, composer, expect } from './fixtures.ts'

/** The settings of notifications while Parley is closed. */
export const section = (page: Page) => page.getByRole('region', { name: 'When Parley is closed' })
export const turnOn = (page: Page) => section(page).getByRole('button', { name: 'Turn on' })

export async function open(page: Page) {
  await page.goto('/')
  await expect(composer(page)).toBeVisible()
}

/** The server waits with notifications of people who are active. */
export const untilOffline = (page: Page, username: string) =>
  expect
    .poll(async () => {
      const users: { username: string; status: string }[] = await callApi(page, 'GET', '/api/users')
      return users.find((it) => it.username === username)?.status
    })
    .toBe('offline')

export const contentsIn = async (page: Page, channelId: string) =>
  (await callApi(page, 'GET', `/api/messages/channel/${channelId}`)).map(({ content }: { content: string }) => content)
