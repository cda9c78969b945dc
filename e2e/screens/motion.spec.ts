import type { Page } from '@playwright/test'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  openGeneral,
  say,
  sendMessages,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { conversation, createSharedChannel, openThread, panel, parentId } from '../support/threads.ts'

/** Counts the copies of closed popups that a page shows from now on. None may pass for an open popup. */
async function countCopies(page: Page) {
  await page.evaluate(() => {
    const counter = window as unknown as { copies: number }
    const open =
      ':is([role=dialog], [role=alertdialog], [role=menu], [role=listbox], [data-question], [data-covers-page])'
    counter.copies = 0
    new MutationObserver((records) => {
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLElement && node.inert && node.ariaHidden === 'true')
          counter.copies += node.matches(open) || node.querySelector(open) ? Number.NaN : 1
    }).observe(document.body, { childList: true })
  })
  return () => page.evaluate(() => (window as unknown as { copies: number }).copies)
}

/** Notes what moves on a page from now on, and by how much that widens the page. */
async function recordMotion(page: Page) {
  await page.evaluate(() => {
    const record = window as unknown as { moved: string[]; beyond: number[] }
    record.moved = []
    record.beyond = []
    document.addEventListener(
      'animationstart',
      ({ animationName, target }) => {
        const text = (target as HTMLElement).querySelector('.prose') ?? (target as HTMLElement)
        record.moved.push(`${animationName} ${text.textContent?.trim()}`)
        for (const { scrollWidth, clientWidth } of document.querySelectorAll('html, body, main'))
          record.beyond.push(scrollWidth - clientWidth)
      },
      true,
    )
  })
  return {
    moved: (by: string) =>
      page.evaluate((by) => (window as unknown as { moved: string[] }).moved.filter((it) => it.startsWith(by)), by),
    widened: () => page.evaluate(() => Math.max(...(window as unknown as { beyond: number[] }).beyond)),
  }
}

test('a closed dialog fades away but is gone at once for the keyboard and the pointer', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { reducedMotion: 'no-preference' })
  const copies = await countCopies(ada)
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await expect(ada.getByRole('dialog')).toBeVisible()
  await ada.keyboard.press('Escape')
  await ada.getByRole('button', { name: 'Create channel' }).click()
  const name = uniqueName('motion')
  await ada.getByRole('dialog').getByLabel('Name').fill(name)
  await ada.keyboard.press('Enter')
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(composer(ada)).toBeFocused()
  expect(await copies()).toBeGreaterThan(0)
  await expect(ada.locator('body > [inert]')).toHaveCount(0)

  await ada.emulateMedia({ reducedMotion: 'reduce' })
  const still = await countCopies(ada)
  await ada.getByRole('button', { name: 'Create channel' }).click()
  await expect(ada.getByRole('dialog')).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  expect(await still()).toBe(0)
})

test('a button to add a reaction shows in the row that one points at', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('reactions'))
  await say(ada, 'cake?')
  const stored = message(ada, 'cake?').and(ada.locator('[data-message]'))
  await stored.hover()
  await stored.getByRole('button', { name: 'React with 👍' }).click()
  const add = stored.locator('[data-add-reaction]')
  await expect(add).toHaveCSS('opacity', '1')
  await composer(ada).hover()
  await composer(ada).focus()
  await expect(add).toHaveCSS('opacity', '0')
})

test('messages, reactions and counts move as they arrive or change, but not those that were missed', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { reducedMotion: 'no-preference' })
  const bob = await person('Bob Stone', { open: false })
  const id = await createSharedChannel(ada, bob)
  await openGeneral(ada)
  const { moved } = await recordMotion(ada)
  await sendMessages(bob, ['before'], `http://x/channels/${id}`)
  await ada.locator(`nav a[href="/channels/${id}"]`).click()
  await expect(message(ada, 'before')).toBeVisible()
  await sendMessages(bob, ['meanwhile'], `http://x/channels/${id}`)
  await expect.poll(() => moved('rise')).toEqual(['rise meanwhile'])
  await say(ada, 'mine')
  const mine = await parentId(ada, 'mine')
  await expect.poll(() => moved('rise')).toEqual(['rise meanwhile', 'rise mine'])

  const react = (emoji: string) => callApi(bob, 'POST', `/api/messages/${mine}/reactions`, { emoji })
  const chip = (emoji: string) => ada.locator(`[data-message="${mine}"] button`, { hasText: emoji })
  await react('🎉')
  await expect.poll(() => moved('pop')).toEqual(['pop 🎉 1'])
  await chip('🎉').click()
  await expect.poll(() => moved('roll')).toEqual(['roll 2'])
  await chip('🎉').click()
  await expect.poll(() => moved('roll')).toEqual(['roll 2', 'roll 1'])

  await ada.context().setOffline(true)
  await react('👀')
  await ada.context().setOffline(false)
  await expect(chip('👀')).toBeVisible({ timeout: 30_000 })
  await react('🚀')
  await expect.poll(() => moved('pop')).toEqual(['pop 🎉 1', 'pop 🚀 1'])
  expect(await moved('rise')).toHaveLength(2)
})

test('a thread slides in when it is opened, but not in place of another one or on coming back', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { reducedMotion: 'no-preference' })
  await createChannel(ada, uniqueName('slide'))
  await say(ada, 'first')
  await say(ada, 'second')
  const first = await parentId(ada, 'first')
  const { moved, widened } = await recordMotion(ada)
  await openThread(ada, 'first')
  await expect.poll(() => moved('slide')).toHaveLength(1)
  await openThread(ada, 'second')
  await expect(panel(ada)).toContainText('second')
  await openGeneral(ada)
  await expect(panel(ada)).toHaveCount(0)
  await ada.goBack()
  await expect(panel(ada)).toContainText('second')
  await ada.getByRole('button', { name: 'Close thread' }).click()
  await expect(panel(ada)).toHaveCount(0)
  await openThread(ada, 'first')
  await expect(panel(ada).locator(`[data-message="${first}"]`)).toBeVisible()
  await expect.poll(() => moved('slide')).toHaveLength(2)
  expect(await widened()).toBe(0)
})

test('rows that one moves to with the keyboard stop above the fade at the end of the list', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('fade'))
  await sendMessages(
    ada,
    Array.from({ length: 45 }, (_, i) => `line ${i + 1}`),
  )
  await message(ada, 'line 45').focus()
  await ada.keyboard.press('Home')
  await expect.poll(() => conversation(ada).evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  await ada.keyboard.press('ArrowUp')
  for (let i = 0; i < 15; i++) {
    await ada.keyboard.press('ArrowDown')
    const gap = () =>
      conversation(ada).evaluate((list) => {
        const row = list.querySelector('article:focus')
        return row ? list.getBoundingClientRect().bottom - row.getBoundingClientRect().bottom : 0
      })
    await expect.poll(gap).toBeGreaterThanOrEqual(12)
  }
})
