import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { composer, createChannel, expect, test, uniqueName } from '../support/fixtures.ts'
import { untilLateParts } from '../support/late-parts.ts'

const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }
const BAR_PX = 48

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox()
  if (!box) throw new Error('not on screen')
  return { ...box, end: box.x + box.width, bottom: box.y + box.height }
}

/** Expects only the dialog to be visible, and nothing else to be touchable. */
async function expectPage(page: Page, dialog: Locator) {
  await expect(dialog).toBeVisible()
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  const isOnTop = (element: Element) =>
    [
      [1, 1],
      [388, 1],
      [195, 400],
      [1, 842],
      [388, 842],
    ].every(([x = 0, y = 0]) => element.contains(document.elementFromPoint(x, y)))
  await expect.poll(() => dialog.evaluate(isOnTop)).toBe(true)
  expect(await dialog.evaluate((it) => getComputedStyle(it).borderRadius)).toBe('0px')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
}

/** Simulates an iPhone's keyboard, which overlays the page. */
const openKeyboard = (page: Page, height: number) =>
  page.evaluate((height) => {
    const view = window.visualViewport as VisualViewport
    Object.defineProperty(view, 'height', { value: window.innerHeight - height, configurable: true })
    view.dispatchEvent(new Event('resize'))
  }, height)

test('on a phone a dialog is a page with its action in the header, and a question stays a card', async ({ person }) => {
  const ada = await person('Ada Lovelace', phone)
  const name = uniqueName('pocket')
  await createChannel(ada, name)
  const dialog = ada.getByRole('dialog')
  await untilLateParts(ada)

  await ada.getByRole('button', { name: 'Show channels' }).tap()
  await ada.getByRole('button', { name: 'Create channel' }).tap()
  await expectPage(ada, dialog)
  const [close, title, action] = await Promise.all([
    boxOf(dialog.getByRole('button', { name: 'Close' })),
    boxOf(dialog.getByRole('heading', { name: 'Create Channel' })),
    boxOf(dialog.getByRole('button', { name: 'Create Channel' })),
  ])
  expect(close.x).toBeLessThan(title.x)
  expect(title.end).toBeLessThanOrEqual(action.x)
  for (const part of [close, title, action]) expect(part.bottom).toBeLessThanOrEqual(BAR_PX)
  expect(Math.min(close.width, close.height)).toBeGreaterThanOrEqual(44)
  await dialog.getByLabel('Name', { exact: true }).fill('a-place-of-its-own')
  await openKeyboard(ada, 400)
  await expect.poll(async () => (await boxOf(dialog)).bottom).toBe(444)
  await expect(dialog.getByRole('button', { name: 'Create Channel' })).toBeInViewport({ ratio: 1 })
  await openKeyboard(ada, 0)
  await expectAccessible(ada, 'create channel on a phone')
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await expect(dialog).toHaveCount(0)
  await ada.reload()

  await ada.getByRole('button', { name: 'Members' }).tap()
  await expectPage(ada, dialog)
  const list = await boxOf(dialog.getByRole('group', { name: 'Members' }))
  expect(list.bottom).toBeGreaterThan(800)
  await ada.goBack()
  await expect(dialog).toHaveCount(0)

  await ada.getByRole('button', { name: 'Search' }).first().tap()
  await expectPage(ada, dialog)
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  expect((await boxOf(cancel)).bottom).toBeLessThanOrEqual(BAR_PX)
  expect((await boxOf(dialog.getByRole('combobox'))).end).toBeLessThanOrEqual((await boxOf(cancel)).x)
  await cancel.tap()
  await expect(dialog).toHaveCount(0)

  await ada.getByRole('heading', { name }).getByRole('button').tap()
  await ada.getByRole('menuitem', { name: 'Delete' }).tap()
  const question = ada.getByRole('dialog', { name: 'Delete Channel' })
  await expect.poll(async () => (await boxOf(question)).bottom).toBe(844 - 16)
  expect((await boxOf(question)).height).toBeLessThan(400)
  await dialog.getByRole('button', { name: 'Cancel' }).tap()
  await expect(composer(ada)).toBeVisible()
})
