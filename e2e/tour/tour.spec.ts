import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { NOW, test } from '../support/demo.ts'
import { callApi, composer, expect, message, say } from '../support/fixtures.ts'
import { startServer } from '../support/server.ts'
import { imagesLoaded, settled } from '../support/settled.ts'
import { goTo } from '../support/sidebar.ts'

const FOLDER = 'docs/images'
/** A README is about 900 pixels wide, so wider pages become too small to read. */
const PAGE = { width: 1200, height: 760 }
const FIRST_SCREEN = { width: 1200, height: 840 }
const PHONE = { width: 390, height: 780 }
const PHONE_GAP = 60
const PHONE_RADIUS = 36
const SCALE = 2
const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

test.use({ deviceScaleFactor: SCALE })

/** Saves the page as a picture in both themes. */
async function picture(page: Page, name: string) {
  for (const theme of THEMES) await save(await screenshot(page, theme), name, theme)
}

async function screenshot(page: Page, colorScheme: Theme) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(() => document.fonts.ready)
  await settled(page)
  await imagesLoaded(page)
  return page.screenshot({ caret: 'hide' })
}

const save = (png: Buffer, name: string, theme: Theme) =>
  sharp(png)
    .webp({ quality: 78, effort: 6 })
    .toFile(join(FOLDER, `${name}-${theme}.webp`))

/** Puts pictures of a phone beside each other. */
async function beside(pngs: Buffer[]) {
  const [width, height] = [PHONE.width * SCALE, PHONE.height * SCALE]
  const radius = PHONE_RADIUS * SCALE
  const mask = Buffer.from(`<svg><rect width="${width}" height="${height}" rx="${radius}" /></svg>`)
  const edge = Buffer.from(
    `<svg width="${width}" height="${height}"><rect x="2" y="2" width="${width - 4}" height="${height - 4}"
      rx="${radius - 2}" fill="none" stroke="#8884" stroke-width="4" /></svg>`,
  )
  const left = (nth: number) => nth * (width + PHONE_GAP)
  const phones = await Promise.all(
    pngs.map(async (png, nth) => ({
      input: await sharp(png)
        .composite([{ input: mask, blend: 'dest-in' }, { input: edge }])
        .png()
        .toBuffer(),
      left: left(nth),
      top: 0,
    })),
  )
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  const create = { width: left(pngs.length) - PHONE_GAP, height, channels: 4 as const, background }
  return sharp({ create }).composite(phones).png().toBuffer()
}

/** Somebody of the demo, at a device of their own. */
async function arrive(page: Page, username: string) {
  const baseURL = new URL(page.url()).origin
  const context = await page.context().browser()?.newContext({ baseURL, timezoneId: 'UTC' })
  const other = (await context?.newPage()) as Page
  const data = { username, password: 'correct horse' }
  await other.request.post('/api/auth/sign-in/username', { data, headers: { origin: baseURL } })
  await other.goto('/')
  await expect(composer(other)).toBeVisible()
  return other
}

async function openThread(page: Page, text: string) {
  await message(page, text)
    .getByRole('button', { name: /replies|reply/ })
    .first()
    .click()
  await expect(page.getByRole('complementary', { name: 'Thread' })).toBeVisible()
}

/** No element is hovered or focused. */
async function letGo(page: Page) {
  await page.mouse.move(0, 0)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
}

test('the pictures of the README', async ({ demo: page }) => {
  test.setTimeout(300_000)
  page.setDefaultTimeout(20_000)
  await page.setViewportSize(PAGE)
  const bob = await arrive(page, 'bob')
  for (const username of ['mei', 'kenji', 'grace', 'noa']) await arrive(page, username)

  await goTo(page, 'general')
  await openThread(page, 'First ticket sold')
  await composer(bob).pressSequentially('One slice for the night shift')
  await expect(page.getByText('Bob Kahn is typing')).toBeVisible()
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await letGo(page)
  await picture(page, 'channel')
  await page.keyboard.press('Escape')

  await page.keyboard.press('ControlOrMeta+k')
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill('icket')
  await expect(search.getByText(/results/).first()).toBeVisible()
  await picture(page, 'search')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: /^Threads/ }).click()
  await expect(page.getByRole('heading', { name: 'Threads', exact: true })).toBeVisible()
  // Both themes show it the same: what is in view becomes read.
  await expect(page.getByRole('button', { name: 'Mark all as read' })).toBeHidden()
  await letGo(page)
  await picture(page, 'threads')

  await page.getByRole('button', { name: 'Files', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Files' }).getByRole('listitem').first()).toBeVisible()
  await letGo(page)
  await picture(page, 'files')
  await page.keyboard.press('Escape')

  // The page corrects its clock by the server's when it loads, so the demo's time is set afterwards.
  await page.clock.setFixedTime(Date.now())
  await page.reload()
  await goTo(page, 'lunch')
  await expect(message(page, 'The cake has arrived')).toContainText('🎂')
  await imagesLoaded(page)
  await page.context().setOffline(true)
  await page.clock.setFixedTime(NOW)
  await say(page, 'On the train, in a tunnel. Please save me a slice!')
  await expect(message(page, 'in a tunnel')).toContainText('Waiting to send')
  await expect(page.getByText("You're offline.")).toBeVisible()
  await letGo(page)
  await picture(page, 'offline')
  await page.context().setOffline(false)
})

test('the picture of the first screen', async ({ browser }) => {
  const { address, remove } = await startServer()
  try {
    const page = await (await browser.newContext({ baseURL: address, viewport: FIRST_SCREEN })).newPage()
    await page.goto('/sign-up')
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByLabel('What is your team called?').fill('Gangway')
    await letGo(page)
    await picture(page, 'first-screen')
  } finally {
    await remove()
  }
})

test('the pictures of a phone', async ({ demo: page }) => {
  test.setTimeout(300_000)
  page.setDefaultTimeout(20_000)
  for (const username of ['bob', 'mei', 'kenji']) await arrive(page, username)
  await page.setViewportSize(PHONE)
  for (const theme of THEMES) {
    await page.getByRole('button', { name: 'Show channels' }).click()
    const drawer = await screenshot(page, theme)
    await goTo(page, 'general')
    await letGo(page)
    const channel = await screenshot(page, theme)
    await callApi(page, 'PATCH', '/api/users/me', { language: 'ar' })
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    const arabic = await screenshot(page, theme)
    await callApi(page, 'PATCH', '/api/users/me', { language: null })
    await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
    await save(await beside([drawer, channel, arabic]), 'phone', theme)
  }
})
