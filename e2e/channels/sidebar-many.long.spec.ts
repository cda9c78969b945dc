import type { Page } from '@playwright/test'
import { callApi, composer, createChannel, expect, say, test, uniqueName } from '../support/fixtures.ts'
import { nextReady } from '../support/live.ts'
import { keepNothing } from '../support/settings.ts'
import { nextFrame, settled } from '../support/settled.ts'
import { row } from '../support/sidebar.ts'

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
const nodesOn = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)
const open = (page: Page) => sidebar(page).locator('a[aria-current=page]')
const focused = (page: Page) => page.locator(':focus')

/** Adds `many` channels and as many direct messages to the response; those at index `unreadAt` are unread. */
async function multiply(page: Page, many: number, unreadAt: number) {
  await page.route('**/api/channels?**', async (route) => {
    const answer = await route.fetch()
    const { channels, directMessages } = await answer.json()
    const four = (nth: number) => String(nth).padStart(4, '0')
    const idOf = (nth: number) => `0198f000-0000-7000-8000-0000000${four(nth)}`
    const counts = (nth: number) => ({ unread: nth === unreadAt ? 1 : 0, mentions: nth === unreadAt ? 1 : 0 })
    const more = Array.from({ length: many }, (_, nth) => ({
      ...channels[0],
      id: `${idOf(nth)}1`,
      name: `many-${four(nth)}`,
      isGeneral: false,
      ...counts(nth),
    }))
    const [me] = channels[0].members
    const talks = Array.from({ length: many }, (_, nth) => ({
      ...channels[0],
      id: `${idOf(nth)}2`,
      kind: 'direct',
      name: '',
      isGeneral: false,
      createdAt: new Date(Date.now() - nth * 1000).toISOString(),
      lastMessageAt: null,
      members: [{ ...me, id: 'somebody-else', name: `Talker ${four(nth)}` }],
      ...counts(nth),
    }))
    await route.fulfill({
      json: {
        channels: [...channels, ...more],
        directMessages: [...directMessages, ...talks],
        pagination: { hasMore: false },
      },
    })
  })
}

test('with thousands of conversations the page stays small, and each of them can be reached', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await multiply(ada, 2000, 1500)
  await ada.reload()
  await expect(row(ada, 'many-0003')).toBeVisible()
  // Other channels may come before it.
  await row(ada, 'many-0003').scrollIntoViewIfNeeded()
  await expect(composer(ada)).toBeVisible()
  await expect.poll(() => nodesOn(ada)).toBeLessThan(3000)

  // Screen readers announce the size of the list and the position in it.
  const item = (name: string) => sidebar(ada).getByRole('listitem').filter({ hasText: name })
  await expect(item('many-0003')).toHaveAttribute('aria-setsize', /^20\d\d$/)
  const at = Number(await item('many-0003').getAttribute('aria-posinset'))
  await expect(item('many-0004')).toHaveAttribute('aria-posinset', String(at + 1))

  // A button leads to unread rows below the viewport, and the arrow keys continue from there.
  await ada.getByRole('button', { name: 'More unread below' }).click()
  await expect(row(ada, 'many-1500')).toBeInViewport()
  await expect(row(ada, 'many-1500')).toBeFocused()
  await expect(row(ada, 'many-1500')).toContainText('1 mention')
  for (let nth = 1501; nth <= 1560; nth++) {
    await ada.keyboard.press('ArrowDown')
    await expect(row(ada, `many-${nth}`)).toBeFocused()
  }
  await expect(row(ada, 'many-1560')).toBeInViewport()
  expect(await nodesOn(ada)).toBeLessThan(3000)

  // The wheel scrolls the row out of view, and the list keeps the focus.
  await sidebar(ada).hover()
  await ada.mouse.wheel(0, -20_000)
  await expect(row(ada, 'many-1560')).not.toBeInViewport()
  await expect(row(ada, 'many-1560')).toBeFocused()
  await ada.keyboard.press('ArrowUp')
  await expect(row(ada, 'many-1559')).toBeFocused()
  await expect(row(ada, 'many-1559')).toBeInViewport()

  await ada.keyboard.press('End')
  await expect(focused(ada)).toContainText('Talker 1999')
  await expect(focused(ada)).toBeInViewport()
  expect(await nodesOn(ada)).toBeLessThan(3000)
  await ada.keyboard.press('Home')
  await expect(focused(ada)).toBeInViewport()
  await expect(sidebar(ada).getByRole('listitem').first().getByRole('link')).toBeFocused()

  // Rows cover the viewport at every scroll position, without gaps.
  for (const top of [0.2, 0.5, 0.8, 1]) {
    await sidebar(ada).evaluate((view, share) => {
      view.scrollTop = share * (view.scrollHeight - view.clientHeight)
    }, top)
    const gaps = () =>
      sidebar(ada).evaluate((view) => {
        const { top, bottom, left } = view.getBoundingClientRect()
        const points = Array.from({ length: 10 }, (_, nth) => top + ((bottom - top) * (nth + 0.5)) / 10)
        return points.filter((y) => !document.elementFromPoint(left + 60, y)?.closest('li, h2, section > div'))
      })
    await nextFrame(ada)
    await expect.poll(gaps).toEqual([])
  }
})

test('among hundreds of channels the open one is in view, and the arrow keys start from it', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const stem = uniqueName('zz')
  const names = Array.from({ length: 200 }, (_, nth) => `${stem}-${String(nth).padStart(3, '0')}`)
  const ids: string[] = []
  for (let from = 0; from < names.length; from += 20) {
    const made = names.slice(from, from + 20).map((name) => callApi(ada, 'POST', '/api/channels', { name }))
    ids.push(...(await Promise.all(made)).map(({ id }) => id))
  }
  try {
    await ada.goto(`/channels/${ids[150]}`)
    await expect(open(ada)).toContainText(names[150] as string)
    await expect(open(ada)).toBeInViewport()
    await ada.keyboard.press('Alt+ArrowDown')
    await expect(ada.getByRole('heading', { name: names[151] as string })).toBeVisible()
    await expect(open(ada)).toContainText(names[151] as string)
    await expect(open(ada)).toBeInViewport()

    // After scrolling away, Tab still enters the list at the open row.
    await sidebar(ada).hover()
    await ada.mouse.wheel(0, -50_000)
    await expect(open(ada)).not.toBeInViewport()
    for (let nth = 0; nth < 8 && !(await open(ada).evaluate((link) => link === document.activeElement)); nth++)
      await ada.keyboard.press('F6')
    await expect(open(ada)).toBeFocused()
    await expect(open(ada)).toBeInViewport()

    await open(ada).hover()
    await ada.getByRole('button', { name: `Actions for ${names[151]}` }).click()
    await expect(ada.getByRole('menuitem', { name: 'Members' })).toBeVisible()
    await ada.keyboard.press('Escape')

    // Loading another channel scrolls its row into view too.
    await ada.goto(`/channels/${ids[2]}`)
    await expect(open(ada)).toContainText(names[2] as string)
    await expect(open(ada)).toBeInViewport()
    await ada.keyboard.press('Alt+ArrowUp')
    await expect(open(ada)).toContainText(names[1] as string)
  } finally {
    for (let from = 0; from < ids.length; from += 20)
      await Promise.all(ids.slice(from, from + 20).map((id) => callApi(ada, 'DELETE', `/api/channels/${id}`)))
  }
})

test('with thousands of conversations a switch renders two rows of the sidebar, and each message in view once', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const [here, there] = [uniqueName('aa'), uniqueName('ab')]
  await createChannel(ada, here)
  await createChannel(ada, there)
  await say(ada, 'First of all')
  await keepNothing(ada)
  await multiply(ada, 2000, 1500)
  const live = nextReady(ada)
  await ada.reload()
  await live
  await row(ada, here).click()
  await expect(ada.getByRole('heading', { name: here })).toBeVisible()
  await expect(composer(ada)).toBeVisible()
  await row(ada, there).hover()
  // What the live connection brings changes rows, too.
  await settled(ada)
  const changed = await ada.evaluateHandle(() => {
    const rows = new Set<string>()
    const messages: Element[] = []
    const note = (records: MutationRecord[]) => {
      for (const { target, addedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement
        const id = element?.closest('nav li')?.getAttribute('data-row')
        if (id) rows.add(id)
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue
          if (node.matches('nav li')) rows.add(node.getAttribute('data-row') ?? '')
          messages.push(...node.querySelectorAll('article[data-message]'))
        }
      }
    }
    const observer = new MutationObserver(note)
    observer.observe(document.body, { subtree: true, childList: true, attributes: true })
    return { rows, messages }
  })
  await row(ada, there).click()
  await expect(ada.getByRole('article').filter({ hasText: 'First of all' })).toBeVisible()
  const { rows, messages } = await changed.evaluate(({ rows, messages }) => ({
    rows: rows.size,
    messages: new Set(messages).size,
  }))
  expect(rows).toBe(2)
  expect(messages).toBe(1)
})
