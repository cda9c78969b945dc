import type { Page } from '@playwright/test'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  message,
  say,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { messageId } from '../support/message-rows.ts'

const DAY_MS = 24 * 60 * 60_000

/** Shifts the device's clock by an offset; it keeps running. */
const setClock = (page: Page, byMs: number) =>
  page.addInitScript((by) => {
    const Right = Date
    class Wrong extends Right {
      constructor(...parts: []) {
        if (parts.length > 0) super(...parts)
        else super(Right.now() + by)
      }
      static override now = () => Right.now() + by
    }
    globalThis.Date = Wrong as DateConstructor
  }, byMs)

/** Expects days and times by the server's clock, even for pending messages, on a page with a different clock. */
async function expectServerTime(page: Page, bob: Page, name: string) {
  const days = page.locator('main section h2')
  // A pending message shows the same day as the stored one, under a single day divider.
  await say(page, `said now, ${name}`)
  await expect(message(page, `said now, ${name}`).first()).toBeVisible()
  await expect(days).toHaveText(['Today'])
  const threadId = await messageId(page, `said now, ${name}`)
  await expect(days).toHaveText(['Today'])
  await callApi(bob, 'POST', '/api/messages', { channelId: channelIdOn(page), content: 'a reply', threadId })
  await expect(message(page, `said now, ${name}`)).toContainText('Last reply just now')

  // The cached page appears before the server's time is known.
  const answered = page.waitForResponse('**/api/sync')
  await page.reload()
  await answered
  await expect(message(page, `said now, ${name}`)).toContainText('Last reply just now')
  await page.route('**/api/messages', (route) => route.abort())
  await say(page, `still waiting, ${name}`)
  await expect(message(page, `still waiting, ${name}`)).toContainText('Waiting to send')
  await expect(days).toHaveText(['Today'])
}

test('on devices whose clocks are a day ahead and a day behind, days and times follow the server', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const behind = await ada.context().newPage()
  await setClock(ada, DAY_MS)
  await setClock(behind, -DAY_MS)
  for (const [page, name] of [
    [ada, 'ahead'],
    [behind, 'behind'],
  ] as const) {
    // Uses separate channels, because a tab also shows pending messages of other tabs.
    const channelId = await createChannel(page, uniqueName('clock'))
    await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
    await page.goto(`/channels/${channelId}`)
    await expect(composer(page)).toBeVisible()
    await expectServerTime(page, bob, name)
    await page.goto('about:blank')
  }
})
