import type { Browser, Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  openGeneral,
  openTab,
  say,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { recordTexts } from '../support/recorded.ts'
import { startServer } from '../support/server.ts'

const card = (page: Page) => page.getByRole('region', { name: /^Welcome to Parley, / })
const step = (page: Page, name: string | RegExp) => card(page).getByRole('button', { name })
/** A browser that asks for permission and is granted it. */
const allowNotifications = (page: Page) =>
  page.context().addInitScript(() => {
    const allowing = {
      permission: sessionStorage.getItem('permission') ?? 'default',
      requestPermission() {
        allowing.permission = 'granted'
        sessionStorage.setItem('permission', 'granted')
        return Promise.resolve('granted')
      },
    }
    Object.defineProperty(window, 'Notification', { value: allowing })
  })
const isDone = (page: Page, name: string | RegExp) => expect(step(page, name)).toHaveAttribute('aria-disabled', 'true')

test('a newcomer finds three first steps above the composer; each is ticked when it is done, and then the card goes for good', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('hiking')
  await createChannel(ada, name)
  const nora = await person('Nora Quist', { isNew: true, open: false })
  await allowNotifications(nora)
  await nora.goto('/')
  await expect(card(nora)).toContainText('Welcome to Parley, Nora.')
  await expectAccessible(nora, 'the first steps')
  // An existing user does not see them.
  await expect(card(ada)).toHaveCount(0)

  await step(nora, /^Find channels to join \(\d+\)/).click()
  await expect(nora.getByRole('button', { name: 'Not joined' })).toBeFocused()
  await nora.getByRole('link', { name }).click()
  await nora.getByRole('button', { name: 'Join channel' }).click()
  await expect(composer(nora)).toBeVisible()
  // It is only in #general.
  await expect(nora.locator('.welcome-place')).toHaveCount(0)
  await openGeneral(nora)
  await isDone(nora, /^Find channels/)

  await step(nora, 'Say hello in #general').click()
  await expect(composer(nora)).toBeFocused()
  await expect(step(nora, 'Say hello in #general')).toHaveAttribute('aria-disabled', 'false')
  const hello = uniqueName('hello')
  await say(nora, hello)
  await isDone(nora, 'Say hello in #general')
  await expect(message(nora, hello)).toBeInViewport()

  // Completed steps stay completed, even in another tab.
  const other = await openTab(nora)
  await isDone(other, 'Say hello in #general')
  await isDone(other, /^Find channels/)
  await other.close()

  const expectHeading = await recordTexts(nora, '.welcome-place h2')
  // It fades, and leaves its room only once no message would move under the pointer.
  await message(nora, hello).hover()
  await step(nora, 'Turn on notifications').press('Enter')
  await expectHeading("You're all set, Nora.")
  await expect(nora.locator('.welcome-place')).toHaveCSS('opacity', '0')
  // Even if the page hears meanwhile that the welcome is over.
  const refreshed = nora.waitForResponse(/get-session/)
  await callApi(nora, 'PATCH', '/api/users/me', { name: 'Nora Quist-Berg' })
  await (await refreshed).finished()
  await expect(message(nora, hello)).toContainText('Nora Quist-Berg')
  await expect(nora.locator('.welcome-place')).toHaveCount(1)
  await nora.getByRole('button', { name: 'My account' }).hover()
  await expect(nora.locator('.welcome-place')).toHaveCount(0)
  await expect(composer(nora)).toBeFocused()
  await nora.reload()
  await expect(message(nora, hello)).toBeVisible()
  await expect(nora.locator('.welcome-place')).toHaveCount(0)
})

test('the first steps can be closed, in every tab and on every device at once, and fit a phone', {
  tag: '@long',
}, async ({ person, browser, server }) => {
  const nora = await person('Nora Quist', {
    isNew: true,
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  })
  await expect(card(nora)).toBeVisible()
  const place = await nora.locator('.welcome-place').boundingBox()
  for (const row of await card(nora).getByRole('button').all()) {
    const box = await row.boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((place?.y ?? 0) + (place?.height ?? 0))
  }
  await step(nora, /^Find channels to join|^Create a channel/).click()
  await expect(nora.getByRole('button', { name: 'Not joined' }).or(nora.getByRole('dialog')).first()).toBeVisible()
  await nora.keyboard.press('Escape')
  // While the user writes, the keyboard and the conversation take the space.
  await composer(nora).tap()
  await expect(card(nora)).toBeHidden()
  await composer(nora).blur()
  await expect(card(nora)).toBeVisible()
  const tab = await openTab(nora)
  await expect(card(tab)).toBeVisible()
  await card(nora).getByRole('button', { name: 'Close' }).click()
  await expect(card(nora)).toHaveCount(0)
  await expect(tab.locator('.welcome-place')).toHaveCount(0)
  await expect(composer(tab)).toBeVisible()
  const again = await browser.newContext({
    baseURL: server.address,
    storageState: await nora.context().storageState({ indexedDB: false }),
  })
  const page = await again.newPage()
  await page.goto('/')
  await expect(composer(page)).toBeVisible()
  await expect(page.locator('.welcome-place')).toHaveCount(0)
  await again.close()
})

/** The owner of a new workspace, on its first page. */
async function openOwner(browser: Browser, address: string) {
  const context = await browser.newContext({ baseURL: address })
  const ada = await context.newPage()
  const username = uniqueName('ada')
  const data = { name: 'Ada Lovelace', username, email: `${username}@example.com`, password: 'correct horse' }
  const headers = { origin: address }
  expect((await ada.request.post('/api/auth/sign-up/email', { data, headers })).ok()).toBe(true)
  await callApi(ada, 'POST', '/api/workspace/set-up', {})
  await allowNotifications(ada)
  await ada.goto('/')
  return ada
}

test('a dialog that the first steps opened stays when they are closed in another tab', {
  tag: '@long',
}, async ({ browser }) => {
  const parley = await startServer()
  try {
    const ada = await openOwner(browser, parley.address)
    const tab = await openTab(ada)
    await step(ada, 'Invite your team').click()
    const invite = ada.getByRole('button', { name: 'Create invite link' })
    await expect(invite).toBeVisible()
    const refreshed = ada.waitForResponse(/get-session/)
    await card(tab).getByRole('button', { name: 'Close' }).click()
    await refreshed
    await expect(tab.locator('.welcome-place')).toHaveCount(0)
    await invite.click()
    await expect(ada.getByRole('button', { name: /^Copy/ }).first()).toBeVisible()
    await ada.keyboard.press('Escape')
    await expect(ada.locator('.welcome-place')).toHaveCount(0)
    await ada.context().close()
  } finally {
    await parley.remove()
  }
})

test("an owner's first step is to invite the team", { tag: '@long' }, async ({ browser }) => {
  const parley = await startServer()
  try {
    const ada = await openOwner(browser, parley.address)
    await expect(card(ada).getByRole('listitem')).toHaveText([
      'Invite your team',
      'Say hello in #general',
      'Turn on notifications',
    ])
    await step(ada, 'Invite your team').click()
    await ada.getByRole('button', { name: 'Create invite link' }).click()
    await expect(ada.getByRole('button', { name: /^Copy/ }).first()).toBeVisible()
    await ada.keyboard.press('Escape')
    await isDone(ada, 'Invite your team')
    await expect(step(ada, 'Invite your team')).toBeFocused()
    await ada.context().close()
  } finally {
    await parley.remove()
  }
})
