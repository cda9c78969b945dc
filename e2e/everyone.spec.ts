import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { composer, expect, message, say, test } from './people.ts'
import { openThread, panel, replied, reply, together } from './threads.ts'

/** Asks in both themes whether everyone can use what is shown. */
async function check(page: Page, screen: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Without the second page that it would open for frames, of which there are none.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    // Of the other theme only the colours are other ones.
    if (colorScheme === 'dark') axe.withRules(['color-contrast'])
    const { violations } = await axe.analyze()
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      `${screen}, ${colorScheme}`,
    ).toEqual([])
  }
}

test('everyone can use the conversation, the thread, the threads, and what opens over them', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { username } = (await (await ada.request.get('/api/auth/get-session')).json()).user
  const bob = await person('Bob Kahn')
  await together(ada, bob)
  await say(ada, 'a **talk** with `code`')
  await say(bob, `for @${username}`)
  await expect(message(ada, 'for @')).toBeVisible()
  await openThread(ada, 'a talk')
  await reply(ada, 'beside it')
  await expect(replied(ada, 'beside it').and(ada.locator('[data-message]'))).toBeVisible()
  await composer(ada).fill('half a thought')
  await check(ada, 'conversation and thread')
  await ada.keyboard.press('ControlOrMeta+/')
  await expect(ada.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await check(ada, 'keys')
  await ada.keyboard.press('Escape')
  await ada.keyboard.press('ControlOrMeta+k')
  await expect(ada.getByRole('option').first()).toBeVisible()
  await check(ada, 'search')
  await ada.keyboard.press('Escape')
  await panel(ada).getByRole('button', { name: 'Close thread' }).click()
  await ada.getByRole('link', { name: 'Threads', exact: true }).click()
  await expect(ada.getByRole('region', { name: 'My threads' })).toContainText('1 reply')
  await check(ada, 'threads')
})

test('everyone can use the forms, and what stands where nothing is', async ({ page, person }) => {
  for (const path of ['/sign-in', '/sign-up']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await check(page, path)
  }
  const ada = await person('Ada Lovelace')
  await ada.goto('/threads')
  await expect(ada.getByText('No threads yet')).toBeVisible()
  await check(ada, 'no threads')
})

test('everyone can use the settings, the phone and its drawer', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await together(ada)
  await ada.getByRole('button', { name: 'Settings' }).click()
  await expect(ada.getByText('This device', { exact: true })).toBeVisible()
  await check(ada, 'settings')
  await ada.keyboard.press('Escape')
  await ada.setViewportSize({ width: 390, height: 844 })
  await check(ada, 'phone, empty channel')
  await ada.getByRole('button', { name: 'Show channels' }).click()
  await check(ada, 'drawer')
})
