import type { Page } from '@playwright/test'
import { callApi, composer, expect, test, uniqueName } from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'
import { nextFrame } from '../support/settled.ts'
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
  // Other channels may precede it.
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

test('among hundreds of channels, with long and right-to-left names, the open one is in view, and keys start there', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const stem = uniqueName('zz')
  const long = `${stem}-999-${'long'.repeat(20)}`.slice(0, 80)
  const rightToLeft = `مرحبا-بالجميع-${Date.now()}`
  const numbered = Array.from({ length: 198 }, (_, nth) => `${stem}-${String(nth).padStart(3, '0')}`)
  const names = [...numbered, long, rightToLeft]
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

    // Loading another channel also scrolls its row into view.
    await ada.goto(`/channels/${ids[2]}`)
    await expect(open(ada)).toContainText(names[2] as string)
    await expect(open(ada)).toBeInViewport()
    await ada.keyboard.press('Alt+ArrowUp')
    await expect(open(ada)).toContainText(names[1] as string)

    for (const [nth, name] of [
      [198, long],
      [199, rightToLeft],
    ] as const) {
      await ada.goto(`/channels/${ids[nth]}`)
      await expect(open(ada)).toContainText(name)
      expect((await open(ada).boundingBox())?.width).toBeLessThanOrEqual(288)
      await expect(open(ada).getByTitle('1 member')).toBeVisible()
      await expect(ada.getByRole('button', { name: 'Members 1' })).toBeVisible()
      const header = await ada.getByRole('main').locator('header').first().boundingBox()
      expect(header?.height).toBe(48)
    }
    expect(await sidebar(ada).evaluate((it) => it.scrollWidth <= it.clientWidth)).toBe(true)
  } finally {
    for (let from = 0; from < ids.length; from += 20)
      await Promise.all(ids.slice(from, from + 20).map((id) => callApi(ada, 'DELETE', `/api/channels/${id}`)))
  }
})
