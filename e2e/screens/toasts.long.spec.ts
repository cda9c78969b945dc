import type { Locator } from '@playwright/test'
import { callApi, composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { chooseAction, messageId, toast } from '../support/message-rows.ts'
import { chooseChannelAction } from '../support/sidebar.ts'

const GAP_PX = 12

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (!box) throw new Error('not on screen')
  return { ...box, bottom: box.y + box.height, middle: box.x + box.width / 2 }
}

/** Whether a click on its center would reach it. */
const isReachable = (part: Locator) =>
  part.evaluate((it) => {
    const { left, top, width, height } = it.getBoundingClientRect()
    return it.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })

test('a toast stands in the middle above the composer, grows out of its way, and dialogs lie over it', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('toasts')
  await createChannel(ada, name)
  await say(ada, 'worth a link')
  await messageId(ada, 'worth a link')
  await ada.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await chooseAction(ada, 'worth a link', 'Copy link')
  const notice = toast(ada, 'Link copied')
  // It stays open while hovered.
  await notice.hover()
  const place = ada.locator('main .composer-place')
  await expect(async () => {
    const [shown, below] = await Promise.all([boxOf(notice), boxOf(place)])
    expect(Math.abs(shown.bottom - (below.y - GAP_PX))).toBeLessThanOrEqual(1)
    expect(Math.abs(shown.middle - below.middle)).toBeLessThanOrEqual(1)
  }).toPass()
  await expect.poll(() => isReachable(notice)).toBe(true)
  await composer(ada).fill('one\ntwo\nthree\nfour')
  await expect
    .poll(async () => (await boxOf(place)).y - (await boxOf(notice)).bottom)
    .toBeGreaterThanOrEqual(GAP_PX - 1)

  await ada.keyboard.press('ControlOrMeta+k')
  await expect(ada.getByRole('dialog', { name: 'Search' })).toBeVisible()
  await expect(notice).toBeVisible()
  await expect.poll(() => isReachable(notice)).toBe(false)
  await ada.keyboard.press('Escape')
  await composer(ada).fill('')

  // On a phone, confirmations overlay toasts, so that their text is readable.
  const id = await messageId(ada, 'worth a link')
  await callApi(ada, 'POST', `/api/messages/${id}/reactions`, { emoji: '👍' })
  const { promise: asked, resolve: release } = Promise.withResolvers<void>()
  await ada.route('**/reactions/*', async (route) => {
    await asked
    await route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message: 'Too many requests' } } })
  })
  await message(ada, 'worth a link').locator('button[aria-pressed]').click()
  await chooseChannelAction(ada, name, 'Delete')
  await ada.setViewportSize({ width: 390, height: 844 })
  const question = ada.getByRole('dialog', { name: 'Delete Channel' })
  await expect(question).toBeVisible()
  release()
  const failure = toast(ada, 'Couldn’t remove reaction')
  await expect(failure).toBeVisible()
  await expect.poll(() => isReachable(failure)).toBe(false)
  expect(await isReachable(question.getByText('All its messages'))).toBe(true)
})
