import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import {
  callApi,
  createPrivateChannel,
  expect,
  message,
  openTab,
  say,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilListening } from '../support/late-parts.ts'
import { openSettings, settings } from '../support/settings.ts'
import { settled } from '../support/settled.ts'
import { row } from '../support/sidebar.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Choose what is shown' })
const cutter = (page: Page) => dialog(page).getByRole('application')
const use = (page: Page) => dialog(page).getByRole('button', { name: 'Use picture' })
/** A person's loaded pictures within a part of a page. */
async function picturesIn(part: Locator, id: string) {
  const images = part.locator(`img[src^="/api/avatars/${id}/"]`)
  return images.evaluateAll((all) =>
    all.map((it) => it instanceof HTMLImageElement && it.complete && it.naturalWidth > 0),
  )
}
const expectPicture = (part: Locator, id: string) =>
  expect.poll(async () => (await picturesIn(part, id)).at(0) ?? false).toBe(true)

/** Red on the left, blue on the right. */
async function halves() {
  const half = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer()
  const left = sharp({ create: { width: 600, height: 200, channels: 3, background: '#ff0000' } })
  const buffer = await left
    .composite([{ input: half, left: 300, top: 0 }])
    .png()
    .toBuffer()
  return { name: 'me.png', mimeType: 'image/png', buffer }
}

/** The RGB values in the middle of the left and the right half of the preview. */
const shownColors = (page: Page) =>
  cutter(page)
    .locator('canvas')
    .evaluate((canvas) => {
      const context = (canvas as HTMLCanvasElement).getContext('2d')
      return [128, 384].map((x) => [...(context?.getImageData(x, 256, 1, 1).data ?? [])].slice(0, 3).join())
    })
const RED = '255,0,0'
const BLUE = '0,0,255'

async function choosePicture(page: Page) {
  await settings(page)
    .getByLabel('Picture file')
    .setInputFiles(await halves())
  await expect(use(page)).toBeEnabled()
}

test('a picture is cut by mouse and by keyboard, and shows wherever I do, on all pages, after a reload, until I remove it', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { id } = await userOn(ada)
  await createPrivateChannel(ada, bob, uniqueName('faces'))
  await callApi(ada, 'POST', '/api/direct-messages', { userIds: [(await userOn(bob)).id] })
  await say(ada, 'this is what I look like')
  await expect(message(bob, 'this is what I look like')).toBeVisible()
  const tab = await openTab(ada)
  const face = message(bob, 'this is what I look like').locator('[data-person]').first()
  await settled(bob)
  const before = await face.boundingBox()

  await openSettings(ada)
  await choosePicture(ada)
  await expect.poll(() => shownColors(ada)).toEqual([RED, BLUE])
  // Dragging it to the right reveals its left side.
  const box = await cutter(ada).boundingBox()
  if (!box) throw new Error('nothing to drag')
  await ada.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await ada.mouse.down()
  await ada.mouse.move(box.x + box.width, box.y + box.height / 2, { steps: 4 })
  await ada.mouse.up()
  await expect.poll(() => shownColors(ada)).toEqual([RED, RED])
  await cutter(ada).focus()
  for (let presses = 0; presses < 12; presses++) await ada.keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => shownColors(ada)).toEqual([BLUE, BLUE])
  await ada.keyboard.press('+')
  await expect(dialog(ada).getByRole('slider', { name: 'Zoom' })).toHaveValue('1.1')
  await use(ada).click()
  await expect(dialog(ada)).toHaveCount(0)

  await expectPicture(settings(ada), id)
  await expectPicture(message(bob, 'this is what I look like'), id)
  await expectPicture(message(tab, 'this is what I look like'), id)
  await expect.poll(() => face.boundingBox()).toEqual(before)
  await expectPicture(row(bob, 'Ada Lovelace'), id)
  await bob.reload()
  await expectPicture(message(bob, 'this is what I look like'), id)
  await untilListening(bob, 'document', 'person')
  await face.click()
  await expectPicture(bob.getByRole('dialog', { name: /Ada Lovelace/ }), id)
  await bob.keyboard.press('Escape')

  await settings(ada).getByRole('button', { name: 'Remove picture' }).click()
  for (const part of [
    settings(ada),
    message(bob, 'this is what I look like'),
    message(tab, 'this is what I look like'),
    row(bob, 'Ada Lovelace'),
  ])
    await expect.poll(() => picturesIn(part, id)).toEqual([])
  await expect(face).toHaveText('AL')
})

test('what is no picture, or cannot be saved, is said and changes nothing; one that fails to load leaves the initials until the network is back', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const { id } = await userOn(ada)
  await createPrivateChannel(ada, bob, uniqueName('faces'))
  await bob.route(`**/api/avatars/${id}/**`, (route) => route.fulfill({ status: 404 }))
  await say(ada, 'no face')
  await openSettings(ada)
  await settings(ada)
    .getByLabel('Picture file')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(ada.getByRole('listitem').filter({ hasText: 'Your browser cannot open this picture' })).toBeVisible()
  await expect(dialog(ada)).toHaveCount(0)

  await choosePicture(ada)
  await ada.route('**/api/users/me/avatar', (route) => route.abort())
  await use(ada).click()
  await expect(dialog(ada).getByRole('alert')).toContainText('Couldn’t save picture')
  await ada.unroute('**/api/users/me/avatar')
  const asked = bob.waitForRequest(`**/api/avatars/${id}/**`)
  await use(ada).click()
  await expect(dialog(ada)).toHaveCount(0)
  await expect(settings(ada).getByRole('button', { name: 'Change picture' })).toBeVisible()
  await asked
  await expect.poll(() => picturesIn(message(bob, 'no face'), id)).toEqual([])
  await expect(message(bob, 'no face').locator('[data-person]').first()).toHaveText('AL')

  await bob.unroute(`**/api/avatars/${id}/**`)
  await bob.evaluate(() => window.dispatchEvent(new Event('online')))
  await expectPicture(message(bob, 'no face'), id)
})
