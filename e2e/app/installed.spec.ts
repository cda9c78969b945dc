import type { BrowserContext, Page } from '@playwright/test'
import { callApi, createChannel, expect, openTab, showChannel, test, uniqueName, userOn } from '../support/fixtures.ts'
import { openSettings } from '../support/settings.ts'
import { joinChannel, row } from '../support/sidebar.ts'
import { signOut, untilFollowingSignOut, welcome } from '../support/signing-out.ts'

declare global {
  interface Window {
    recordBadge: (count: number | null) => void
    prompts: number
  }
}

/** Records the badges of the app's icon, which all pages of a browser share; the browser reports that it shows none. */
async function recordBadges(context: BrowserContext) {
  const badges: (number | 'dot')[] = []
  await context.exposeFunction('recordBadge', (count: number | null) => badges.push(count ?? 'dot'))
  await context.addInitScript(() => {
    navigator.setAppBadge = async (count) => {
      window.recordBadge(count ?? null)
      throw new DOMException('Notifications are blocked', 'NotAllowedError')
    }
  })
  return () => badges.at(-1)
}

/** The colour around the page, as the browser chooses it. */
const colorAround = (page: Page) =>
  page
    .locator('meta[name=theme-color]')
    .evaluateAll((metas: HTMLMetaElement[]) => metas.find(({ media }) => matchMedia(media).matches)?.content)

/** A colour of tokens.css as the page shows it. */
const token = (page: Page, name: string) =>
  page.evaluate((variable) => {
    const probe = document.body.appendChild(document.createElement('div'))
    probe.style.color = `var(${variable})`
    const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    canvas.fillStyle = getComputedStyle(probe).color
    probe.remove()
    canvas.fillRect(0, 0, 1, 1)
    const [...rgba] = canvas.getImageData(0, 0, 1, 1).data
    return `#${rgba
      .slice(0, 3)
      .map((part) => part.toString(16).padStart(2, '0'))
      .join('')}`
  }, name)

test('the browser can install the app, in the colours of the page', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const session = await ada.context().newCDPSession(ada)
  const { url, errors, data = '', manifest } = await session.send('Page.getAppManifest')
  expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []])
  expect(manifest.shareTarget?.action).toBe(new URL('/share', url).href)
  expect(manifest.shortcuts).toHaveLength(3)

  await ada.emulateMedia({ colorScheme: 'light' })
  const { theme_color, background_color } = JSON.parse(data)
  const around = await colorAround(ada)
  expect([around, theme_color]).toEqual([await token(ada, '--paper-sunk'), around])
  expect(background_color).toBe(await token(ada, '--paper'))
  await ada.emulateMedia({ colorScheme: 'dark' })
  const dark = await colorAround(ada)
  expect(dark).toBe(await token(ada, '--paper-sunk'))
  // The theme chosen here applies, whatever the system's is.
  await ada.emulateMedia({ colorScheme: 'light' })
  const settings = await openSettings(ada, 'Appearance')
  await settings.getByRole('radio', { name: 'Dark' }).click()
  expect(await colorAround(ada)).toBe(dark)
  await settings.getByRole('radio', { name: 'System' }).click()
  expect(await colorAround(ada)).toBe(around)
})

test('the app’s icon counts notifications in all tabs, has a dot for other unread messages, and nothing after signing out', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  const problems: Error[] = []
  bob.on('pageerror', (problem) => problems.push(problem))
  const badge = await recordBadges(bob.context())
  await bob.reload()
  const name = uniqueName('badge')
  const channelId = await createChannel(ada, name)
  await joinChannel(bob, name)
  await row(bob, 'general').click()
  await expect.poll(badge).toBe(0)
  const other = await openTab(bob)
  const { username } = await userOn(bob)
  const write = (content: string) => callApi(ada, 'POST', '/api/messages', { channelId, content })

  await write('for everyone')
  await expect.poll(badge).toBe('dot')
  await write(`@${username} one`)
  await expect.poll(badge).toBe(1)
  await write(`@${username} two`)
  await expect.poll(badge).toBe(2)
  await showChannel(other, channelId, name)
  await expect.poll(badge).toBe(0)

  await row(other, 'general').click()
  await write(`@${username} three`)
  await expect.poll(badge).toBe(1)
  await untilFollowingSignOut(bob)
  await signOut(other)
  await expect(welcome(other)).toBeVisible()
  await expect(welcome(bob)).toBeVisible()
  expect([badge(), problems]).toEqual([0, []])
})

/** Makes the browser's offer to install the app, as Chromium does. */
const offer = (page: Page) =>
  page.evaluate(() => {
    window.prompts = 0
    const prompt = async () => void window.prompts++
    window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
  })

test('the app is installed from my menu or the settings, while the browser offers it', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const item = ada.getByRole('menuitem', { name: 'Install app' })
  const openMenu = () => ada.getByRole('button', { name: 'My account' }).click()
  await openMenu()
  await expect(ada.getByRole('menuitem', { name: 'Set your status' })).toBeVisible()
  await expect(item).toHaveCount(0)
  // Also while the menu is open.
  await offer(ada)
  await item.click()
  expect(await ada.evaluate(() => window.prompts)).toBe(1)
  await openMenu()
  await expect(ada.getByRole('menuitem', { name: 'Set your status' })).toBeVisible()
  await expect(item).toHaveCount(0)
  await ada.keyboard.press('Escape')

  await offer(ada)
  const settings = await openSettings(ada, 'Devices')
  const button = settings.getByRole('button', { name: 'Install app' })
  await expect(button).toBeVisible()
  await ada.evaluate(() => window.dispatchEvent(new Event('appinstalled')))
  await expect(button).toHaveCount(0)
})

test('on an iPhone the settings say how to install the app', { tag: '@long' }, async ({ person }) => {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile'
  const ada = await person('Ada Lovelace', { userAgent })
  await expect(await openSettings(ada, 'Devices')).toContainText('tap Share in your browser, then Add to Home Screen')
})
