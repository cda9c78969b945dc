import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { test } from '../support/demo.ts'
import { callApi, composer, createChannel, expect, invite, message, removeMember, say } from '../support/fixtures.ts'
import { picture as pictureFile } from '../support/pictures.ts'
import { imagesLoaded, settled } from '../support/settled.ts'
import { goTo } from '../support/sidebar.ts'

const WIDTHS = [2560, 1440, 1024, 800, 390]
type Theme = 'light' | 'dark'
const isAll = process.env['PICTURES'] === 'all'
/** `npm run pictures` takes all pictures; a test run checks the accessibility of each screen, and takes one picture. */
const TAKEN: (readonly [number, Theme])[] = isAll
  ? (['light', 'dark'] as const).flatMap((theme) => WIDTHS.map((width) => [width, theme] as const))
  : [[390, 'dark']]

/** Saves screenshots of a page and checks its accessibility. */
async function picture(page: Page, name: string, widths = [2560, 1440, 1024, 390]) {
  for (const [width, colorScheme] of TAKEN.filter(([width]) => widths.includes(width))) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await settled(page)
    await imagesLoaded(page)
    await page.screenshot({ path: `test-results/screens/${name}-${width}-${colorScheme}.png` })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  if (isAll) {
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' })
    await page.screenshot({ path: `test-results/screens/${name}-1440-forced-colors.png` })
    await page.emulateMedia({ forcedColors: 'none' })
  }
  await expectAccessible(page, name)
}

test('the signed-out pages', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await picture(page, 'sign-in')
  await page.goto('/sign-up')
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await picture(page, 'sign-up')
  await page.getByLabel('Username').fill('a')
  await page.getByLabel('Email').fill('a@example.com')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Use 3 to 30')).toBeVisible()
  await picture(page, 'sign-up-refused')
})

test('a new channel, its dialogs, and pending messages without a network', async ({ person }) => {
  test.setTimeout(400_000)
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const nora = await person('Nora Quist', { isNew: true })
  await picture(nora, 'channel-first-minute')
  for (const name of ['design-review', 'reading-group-for-distributed-systems-and-friends'])
    await createChannel(ada, name)
  await picture(ada, 'channel-empty')
  await createChannel(ada, 'launch')
  await bob.getByRole('link', { name: /^launch/ }).click()
  await expect(bob.getByText("You're previewing #launch")).toBeVisible()
  await picture(bob, 'channel-preview')
  await say(ada, `A word that never ends: ${'Donaudampfschifffahrtsgesellschaft'.repeat(5)}`)
  await say(ada, '<img src=x onerror=alert(1)> stays text, and so does <b>this</b>.')
  await expect(message(ada, 'stays text')).toBeVisible()

  await ada.getByLabel('Files to attach').setInputFiles(
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (nth) => ({
        name: `${nth}.png`,
        mimeType: 'image/png',
        buffer: await pictureFile(nth % 2 ? 640 : 300, 400),
      })),
    ),
  )
  await composer(ada).fill('An album')
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await composer(ada).press('Enter')
  await expect(message(ada, 'An album').getByRole('button', { name: 'Open 4.png, and 2 more' })).toBeVisible()
  await ada.getByRole('button', { name: 'Formatting', exact: true }).click()
  await composer(ada).fill('Words to format')
  await picture(ada, 'channel-album')
  await composer(ada).fill('')
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await ada.getByLabel('Name', { exact: true }).fill('launch-party')
  await ada.getByLabel('Private').check()
  await picture(ada, 'create-channel')
  await ada.getByLabel('Name', { exact: true }).fill('launch')
  await ada.getByRole('button', { name: 'Create Channel' }).click()
  await expect(ada.getByText('Failed to create channel')).toBeVisible()
  await picture(ada, 'create-channel-refused')
  await ada.keyboard.press('Escape')

  await ada.route('**/api/messages', (route) => route.abort())
  await say(ada, 'This one cannot go yet')
  await expect(message(ada, 'This one cannot go yet')).toContainText('Waiting to send')
  await picture(ada, 'channel-queued')
})

test('every screen of the workspace that npm run seed fills', async ({ demo: page }) => {
  test.setTimeout(600_000)
  page.setDefaultTimeout(60_000)
  await picture(page, 'demo-general', [1440, 390])
  // The end stays in view while a change of width changes the height of every row.
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(viewport)
    await settled(page)
    await expect(message(page, '写真のケーキ')).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  for (const [name, shown] of [
    ['launch', 'It waits for one yes'],
    ['engineering', 'delete the old API'],
    ['design', 'Names for the dark theme'],
    ['lunch', '케이크 냉장고'],
    ['世界-offices', '奶茶'],
  ] as const) {
    await page.getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await expect(page.getByRole('heading', { name })).toBeVisible()
    await expect(message(page, shown)).toBeVisible()
    await picture(page, `demo-${name === '世界-offices' ? 'offices' : name}`, [1440, 390])
  }

  await goTo(page, 'launch')
  await page
    .getByRole('button', { name: /^2 replies/ })
    .last()
    .click()
  await expect(page.getByRole('complementary', { name: 'Thread' })).toBeVisible()
  // No element is hovered or focused.
  await page.mouse.move(0, 0)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await picture(page, 'demo-thread', [1440, 1024, 800, 390])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Files', exact: true }).click()
  await expect(page.getByText('bookings-by-route.csv').last()).toBeVisible()
  await picture(page, 'demo-files', [1440, 390])
  await page.getByText('Images', { exact: true }).click()
  await expect(page.getByRole('listitem').getByText('bookings-by-route.csv')).toHaveCount(0)
  await page.getByRole('dialog', { name: 'Files' }).getByRole('listitem').first().click()
  await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeVisible()
  await picture(page, 'demo-lightbox', [1440, 390])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByLabel('Files', { exact: true })
    .setInputFiles([{ name: 'sea.png', mimeType: 'image/png', buffer: await pictureFile(300, 200) }])
  await page.getByRole('combobox', { name: 'Share with' }).click()
  await expect(page.getByRole('option', { name: 'Everyone in the workspace' })).toBeAttached()
  await picture(page, 'demo-upload', [1440, 390])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Members/ }).click()
  await expect(page.getByRole('dialog').getByText('Νίκος Παππάς')).toBeVisible()
  await picture(page, 'demo-members', [1440, 390])
  await page.getByRole('dialog').getByRole('button', { name: /^Eve/ }).click()
  await expect(page.getByRole('dialog', { name: /^Profile of Eve/ })).toBeVisible()
  await picture(page, 'demo-person', [1440, 390])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New direct message' }).click()
  await page.keyboard.type('b')
  await expect(page.getByRole('group', { name: 'You already talk with' })).toBeVisible()
  await picture(page, 'demo-new-direct', [1440, 390])
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: /^田中/ }).click()
  await expect(message(page, '月曜日')).toBeVisible()
  await picture(page, 'demo-direct', [1440, 390])
  await page.getByRole('link', { name: /^Threads/ }).click()
  await expect(page.getByRole('heading', { name: 'Threads', exact: true })).toBeVisible()
  await picture(page, 'demo-threads', [1440, 390])

  await page.getByRole('button', { name: 'Search messages and files...' }).click()
  await page.getByRole('dialog', { name: 'Search' }).getByRole('combobox').fill('ticket')
  await expect(page.getByRole('option', { name: /Gangway|ticket/i }).first()).toBeVisible()
  // A right-to-left name is also aligned to its avatar.
  const startOf = (name: string) =>
    page
      .getByRole('option')
      .getByText(name, { exact: true })
      .first()
      .evaluate((it) => {
        const words = document.createRange()
        words.selectNodeContents(it)
        return words.getBoundingClientRect().left
      })
  expect(await startOf('נועה לוי')).toBe(await startOf('Chidi Okafor'))
  await picture(page, 'demo-search', [1440, 390])
  await page.getByRole('button', { name: 'From', exact: true }).click()
  await expect(page.getByRole('group', { name: 'PEOPLE' }).getByRole('option').nth(3)).toBeVisible()
  await picture(page, 'demo-search-filter', [1440, 390])
  await page.keyboard.press('Enter')
  await page.keyboard.type('before:2020-01-01 ')
  await expect(page.getByRole('button', { name: 'Search everywhere' })).toBeVisible()
  await picture(page, 'demo-search-nothing', [1440, 390])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  await picture(page, 'demo-settings', [1440, 390])
  await page.getByRole('button', { name: 'Devices', exact: true }).click()
  await expect(page.getByText('This device', { exact: true })).toBeVisible()
  await picture(page, 'demo-settings-devices', [1440, 390])
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Show channels' }).click()
  await expect(page.getByRole('link', { name: /^lunch/ })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `test-results/screens/demo-drawer-390-${colorScheme}.png` })
  }
})

test('a conversation that ended, the remaining drafts, and an edit conflict', async ({ person }) => {
  test.setTimeout(400_000)
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const ids: string[] = []
  for (const name of ['offsite-2026', 'founders-only', 'support-rota']) {
    ids.push(await createChannel(ada, name, { isPrivate: true }))
    await invite(ada, bob)
  }
  await goTo(bob, 'offsite-2026')
  await composer(bob).fill('Could we take the train instead? Eleven of us live along that line.')
  await goTo(bob, 'support-rota')
  await composer(bob).fill('I can swap Tuesday for Thursday, if')
  await goTo(bob, 'founders-only')
  await say(bob, 'Numbers for the board are in the sheet.')
  await callApi(ada, 'POST', '/api/messages', {
    channelId: ids[1],
    content: 'What do we tell the team about the delay?',
  })
  await message(bob, 'about the delay').hover()
  await message(bob, 'about the delay').getByRole('button', { name: 'Reply in thread' }).click()
  await bob.getByPlaceholder('Reply to thread...').fill('That it is ours: the importer was not ready,')
  await bob.keyboard.press('Escape')
  await bob.getByLabel('Files to attach').setInputFiles({
    name: 'board-numbers-q4-final-with-comments.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4'),
  })
  await composer(bob).fill(
    'One more thing before Friday:\n\n1. the contract with Hollis is not signed\n2. two of the invoices went to the old address',
  )
  await expect(bob.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await removeMember(ada, bob, ids[1])
  await expect(bob.getByRole('heading', { name: 'You are no longer in #founders-only' })).toBeVisible()
  await picture(bob, 'conversation-ended')
  await callApi(ada, 'DELETE', `/api/channels/${ids[0]}`)
  await bob.getByRole('link', { name: /^Drafts/ }).click()
  await expect(bob.getByRole('main').getByRole('listitem')).toHaveCount(4)
  await picture(bob, 'drafts')

  await bob.getByRole('link', { name: '#support-rota' }).click()
  await composer(bob).fill('')
  await say(bob, 'I am on call this week.')
  const id = await message(bob, 'on call').and(bob.locator('[data-message]')).getAttribute('data-message')
  await composer(bob).press('ArrowUp')
  await bob.getByRole('textbox', { name: 'Edit message' }).fill('I am on call until Friday.')
  await callApi(bob, 'PUT', `/api/messages/${id}`, { content: 'I am on call until Thursday, then Mei is.' })
  await expect(bob.getByRole('button', { name: 'Save mine anyway' })).toBeVisible()
  await picture(bob, 'edit-conflict')
})
