import type { Locator, Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'
import { messageId } from '../support/message-rows.ts'
import { row } from '../support/sidebar.ts'

const tooltip = (page: Page) => page.locator('[role=tooltip]')
const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (!box) throw new Error('not on screen')
  return { ...box, bottom: box.y + box.height, middle: box.x + box.width / 2 }
}

test('a tooltip names a button and its key, on hover and on focus, and goes with Escape, a press or scrolling', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const [above, long] = [uniqueName('a'), `b-${uniqueName('a-name-that-is-much-too-long-for-the-sidebar')}`]
  await createChannel(ada, above)
  await createChannel(ada, long)
  await createChannel(ada, uniqueName('tips'))
  await say(ada, 'hello there')
  await messageId(ada, 'hello there')
  await untilLateParts(ada)
  const settings = ada.getByRole('button', { name: 'Settings' })
  await settings.hover()
  await expect(tooltip(ada)).toHaveText('Settings')
  await expect(async () => {
    const [tip, anchor] = [await boxOf(tooltip(ada)), await boxOf(settings)]
    expect(Math.abs(tip.bottom - (anchor.y - 6))).toBeLessThanOrEqual(1)
    expect(Math.abs(tip.middle - anchor.middle)).toBeLessThanOrEqual(1)
  }).toPass()
  expect(await settings.getAttribute('title')).toBeNull()
  await expect(settings).toHaveAccessibleDescription('')

  // At the top edge of the window it flips. The title can still be found, and does not cause a second tooltip.
  const status = ada.locator('header').getByTitle('Set your status')
  await status.hover()
  await expect(tooltip(ada)).toHaveText('Set your status')
  await expect.poll(async () => (await boxOf(tooltip(ada))).y).toBeGreaterThan((await boxOf(status)).bottom)
  await expect(status).toBeVisible()
  expect(await status.evaluate((it) => it.firstElementChild?.getAttribute('title'))).toBe('')
  await ada.keyboard.press('Escape')
  await expect(tooltip(ada)).toHaveCount(0)

  // The pointer may move onto its text, which blocks clicks below, and it stays open until Escape.
  await settings.hover()
  await expect(tooltip(ada)).toHaveText('Settings')
  await status.hover()
  await expect(tooltip(ada)).toHaveText('Set your status')
  const words = await boxOf(tooltip(ada))
  await ada.mouse.move(words.middle, words.y + 4, { steps: 5 })
  await ada.mouse.move(words.middle + 2, words.y + 6)
  await expect(tooltip(ada)).toHaveText('Set your status')
  await ada.keyboard.press('Escape')
  await expect(tooltip(ada)).toHaveCount(0)

  await message(ada, 'hello there').hover()
  await message(ada, 'hello there').getByRole('button', { name: 'Reply in thread' }).hover()
  await expect(tooltip(ada)).toHaveText('Reply in threadT')
  await expect(tooltip(ada).locator('kbd')).toHaveText('T')
  await ada.mouse.wheel(0, -40)
  await ada.evaluate(() => document.querySelector('section')?.dispatchEvent(new Event('scroll')))
  await expect(tooltip(ada)).toHaveCount(0)

  // Elements with only a title get the same card instead of the browser's tooltip.
  const time = message(ada, 'hello there').locator('time').first()
  const whole = (await time.getAttribute('title')) ?? ''
  expect(whole).not.toBe('')
  await time.hover()
  await expect(tooltip(ada)).toHaveText(whole)
  expect(await time.getAttribute('title')).toBeNull()
  await composer(ada).hover()
  await expect(tooltip(ada)).toHaveCount(0)
  await expect(time).toHaveAttribute('title', whole)

  await composer(ada).focus()
  await composer(ada).press('Tab')
  await expect(ada.getByRole('button', { name: 'Attach files' })).toBeFocused()
  await expect(tooltip(ada)).toHaveText('Attach files')
  await ada.keyboard.press('Tab')
  await expect(tooltip(ada)).not.toHaveText('Attach files')
  await ada.keyboard.press('Escape')
  await expect(tooltip(ada)).toHaveCount(0)

  await settings.hover()
  await expect(tooltip(ada)).toHaveText('Settings')
  await settings.click()
  await expect(ada.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  await expect(tooltip(ada)).toHaveCount(0)
  await ada.keyboard.press('Escape')

  // The tooltip of a sidebar row is next to it and covers no other row.
  await composer(ada).hover()
  await row(ada, long).getByText(long).hover()
  await expect(tooltip(ada)).toHaveText(long)
  await expect(async () => {
    const [tip, target] = [await boxOf(tooltip(ada)), await boxOf(row(ada, long))]
    expect(tip.x).toBeGreaterThanOrEqual(target.x + target.width)
    expect(Math.abs(tip.y + tip.height / 2 - (target.y + target.height / 2))).toBeLessThanOrEqual(1)
  }).toPass()
  await row(ada, above).click()
  await expect(ada.getByRole('heading', { name: above })).toBeVisible()
  await expect(tooltip(ada)).toHaveCount(0)
})

test('a button that comes to lie under the resting pointer shows its tooltip only once the pointer moves', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await untilLateParts(ada)
  const create = ada.getByRole('button', { name: 'Create channel' })
  const name = uniqueName('resting')
  await create.click()
  await ada.getByRole('dialog').getByLabel('Name').fill(name)
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  // Longer than a tooltip's delay.
  await ada.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)))
  await expect(tooltip(ada)).toHaveCount(0)
  const { middle, y } = await boxOf(create)
  await ada.mouse.move(middle + 3, y + 6)
  await expect(tooltip(ada)).toHaveText('Create channel')
})
