import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, say, test } from './people.ts'
import { expectUsable } from './usable.ts'

const widths = [2560, 1440, 1024, 390]

/** Keeps a picture of a page at each width, in light and in dark, and one in forced colours; asks whether everyone can use it. */
async function picture(page: Page, name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await page.waitForTimeout(300)
      await page.screenshot({ path: `test-results/screens/${name}-${width}-${colorScheme}.png` })
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' })
  await page.screenshot({ path: `test-results/screens/${name}-1440-forced-colors.png` })
  await page.emulateMedia({ forcedColors: 'none' })
  await expectUsable(page, name)
}

const code = `Reconnect is in. A client that was away asks for everything after its revision, so a dropped train tunnel costs one request:

\`\`\`ts
const { rev, messages } = await call(changesOf, { channelId, after: known }) // 14 ms for a whole day away, measured twice
merge(cache, messages, rev)
\`\`\``

test('the signed-out pages', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await picture(page, 'sign-in')
  await page.goto('/sign-up')
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await picture(page, 'sign-up')
  await page.getByLabel('Username').fill('a')
  await page.getByLabel('E-mail').fill('a@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('A username has 3 to 30')).toBeVisible()
  await picture(page, 'sign-up-refused')
})

test('a channel people talk in, its neighbours, its dialog and its drawer', async ({ person }) => {
  test.setTimeout(180_000)
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn')
  const tomas = await person('Tomás Rivera')
  await picture(ada, 'channel-first-minute')

  for (const name of ['design-review', 'support', 'random', 'reading-group-for-distributed-systems-and-friends'])
    await createChannel(ada, name)
  await createChannel(ada, 'founders', { isPrivate: true })
  await picture(ada, 'channel-empty')
  await createChannel(ada, 'launch')
  await bob.getByRole('link', { name: /^launch/ }).click()
  await expect(bob.getByText('You are looking at #launch')).toBeVisible()
  await picture(bob, 'channel-preview')
  for (const page of [bob, tomas]) {
    await page.getByRole('link', { name: /^launch/ }).click()
    await page.getByRole('button', { name: 'Join channel' }).click()
    await expect(composer(page)).toBeVisible()
  }
  await say(ada, 'Morning. Everything until the 1st of December goes through here; decisions in threads, please.')
  await say(ada, 'First one: do we ship the phone layout with it?')
  await say(bob, 'Yes. It is done, and it is the screen people look at most.')
  await say(
    tomas,
    '> It is done\n\nThen three things are left:\n\n1. the empty states\n2. `Shift+Esc` should offer **Undo**\n3. the [notes](https://example.com/notes) on dark',
  )
  await say(bob, code)
  await say(tomas, 'مرحبا، هذا يعمل من اليمين إلى اليسار أيضا')
  await say(tomas, `A word that never ends: ${'Donaudampfschifffahrtsgesellschaft'.repeat(5)}`)
  await say(bob, 'Looks calm 😅')
  await say(ada, '<img src=x onerror=alert(1)> stays text, and so does <b>this</b>.')
  await expect(message(ada, 'stays text')).toBeVisible()
  await composer(ada).fill('I like it. Give me ten minutes')
  await picture(ada, 'channel')

  await ada.setViewportSize({ width: 390, height: 844 })
  await ada.getByRole('button', { name: 'Show channels' }).click()
  await ada.waitForTimeout(300)
  for (const colorScheme of ['light', 'dark'] as const) {
    await ada.emulateMedia({ colorScheme })
    await ada.screenshot({ path: `test-results/screens/phone-drawer-${colorScheme}.png` })
  }
  await ada.getByRole('link', { name: /^launch/ }).click()
  await ada.setViewportSize({ width: 1440, height: 900 })

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
  await expect(message(ada, 'This one cannot go yet')).toContainText('Queued')
  await picture(ada, 'channel-queued')
})
