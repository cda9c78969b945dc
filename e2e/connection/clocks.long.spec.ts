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

for (const [name, byMs] of [
  ['ahead', DAY_MS],
  ['behind', -DAY_MS],
] as const) {
  test(`on a device whose clock is a day ${name}, days and times follow the server`, async ({ person }) => {
    const ada = await person('Ada Lovelace')
    const bob = await person('Bob Kahn', { open: false })
    await createChannel(ada, uniqueName('clock'))
    await callApi(bob, 'POST', `/api/channels/${channelIdOn(ada)}/join`)
    await setClock(ada, byMs)
    await ada.reload()
    await expect(composer(ada)).toBeVisible()

    // A pending message shows the same day as the stored one, under a single day divider.
    await say(ada, `said now, ${name}`)
    await expect(message(ada, `said now, ${name}`).first()).toBeVisible()
    const id = await messageId(ada, `said now, ${name}`)
    await expect(ada.getByRole('heading', { name: 'Today' })).toHaveCount(1)
    await expect(ada.getByRole('heading', { name: 'Yesterday' })).toHaveCount(0)
    await expect(ada.locator('main section h2')).toHaveCount(1)

    await callApi(bob, 'POST', '/api/messages', { channelId: channelIdOn(ada), content: 'a reply', threadId: id })
    await expect(message(ada, `said now, ${name}`)).toContainText('Last reply just now')

    await ada.reload()
    await expect(message(ada, `said now, ${name}`)).toContainText('Last reply just now')
    await expect(ada.getByRole('heading', { name: 'Today' })).toHaveCount(1)
    await expect(ada.locator('main section h2')).toHaveCount(1)
  })

  test(`a pending message on a device whose clock is a day ${name} is shown under Today`, async ({ person }) => {
    const ada = await person('Ada Lovelace')
    await createChannel(ada, uniqueName('waiting'))
    await say(ada, 'gone out')
    await messageId(ada, 'gone out')
    await setClock(ada, byMs)
    // The page that the device kept is there before the server has told its time.
    const answered = ada.waitForResponse('**/api/sync')
    await ada.reload()
    await answered
    await expect(composer(ada)).toBeVisible()
    await ada.route('**/api/messages', (route) => route.abort())
    await say(ada, `still waiting, ${name}`)
    await expect(message(ada, `still waiting, ${name}`)).toContainText('Waiting to send')
    await expect(ada.locator('main section h2')).toHaveText(['Today'])
  })
}
