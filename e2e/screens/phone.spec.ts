import type { Page } from '@playwright/test'
import { composer, createChannel, expect, message, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { untilLateParts, untilPreloaded } from '../support/late-parts.ts'
import { messageId } from '../support/message-rows.ts'
import { composerReleased, settled } from '../support/settled.ts'
import { createSharedChannel, inThread, panel, replyBox } from '../support/threads.ts'

const phone = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }
/** The elements whose content is wider than they are. */
const sideways = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, aside, section, [role=dialog]')]
      .filter((it) => it.scrollWidth > it.clientWidth + 1)
      .map((it) => `${it.tagName} ${it.getAttribute('aria-label')}: ${it.scrollWidth} in ${it.clientWidth}`),
  )

/** Long-presses a message until its menu opens. */
async function hold(page: Page, text: string) {
  await composerReleased(page)
  await settled(page)
  const box = await message(page, text).boundingBox()
  const device = await page.context().newCDPSession(page)
  const at = { x: (box?.x ?? 0) + 120, y: (box?.y ?? 0) + 16 }
  await device.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  await expect(page.getByRole('menu')).toBeVisible()
  await device.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

test('touch alone suffices on a phone: drawer, channel, message, menu, thread, and the space above the keyboard', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', phone)
  await createChannel(ada, uniqueName('pocket'), { byForm: true })
  await ada.getByRole('button', { name: 'Show channels' }).tap()
  await ada.getByRole('link', { name: /^general/ }).tap()
  await expect(ada.getByRole('main')).not.toHaveAttribute('inert')
  await createSharedChannel(ada)

  await composer(ada).tap()
  await composer(ada).fill('from the bus')
  await ada.getByRole('button', { name: 'Send', exact: true }).tap()
  await messageId(ada, 'from the bus')
  await hold(ada, 'from the bus')
  for (const item of await ada.getByRole('menuitem').all())
    expect((await item.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44)
  await ada.getByRole('menuitem', { name: 'React with 🎉' }).tap()
  await expect(message(ada, 'from the bus').getByRole('button', { name: '🎉 1' })).toBeVisible()
  await hold(ada, 'from the bus')
  await ada.getByRole('menuitem', { name: 'Reply in thread' }).tap()
  await replyBox(ada).tap()
  await replyBox(ada).fill('and off it again')
  await panel(ada).getByRole('button', { name: 'Send reply', exact: true }).tap()
  await expect(inThread(ada, 'and off it again')).toBeVisible()

  // The on-screen keyboard takes half of the page, and the composer stays above it; on an iPhone it overlays the page instead.
  await ada.setViewportSize({ width: 390, height: 430 })
  await expect(replyBox(ada)).toBeInViewport({ ratio: 1 })
  await ada.setViewportSize(phone.viewport)
  await panel(ada).getByRole('button', { name: 'Close thread' }).tap()
  await sendMessages(ada, ['1', '2', '3'])
  await untilLateParts(ada)
  await ada.evaluate(() => {
    const view = window.visualViewport as VisualViewport
    Object.defineProperty(view, 'height', { value: window.innerHeight - 400, configurable: true })
    view.dispatchEvent(new Event('resize'))
  })
  await expect
    .poll(async () => {
      const box = await composer(ada).boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 844)
    })
    .toBeLessThan(844 - 400)
})

test('nothing scrolls sideways at 360 px (720 px at 200 %), and every button is large enough for a finger', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { ...phone, viewport: { width: 360, height: 640 } })
  await createSharedChannel(ada)
  await sendMessages(ada, [
    `A word that never ends: ${'Donaudampfschifffahrt'.repeat(9)}`,
    '`code` and https://example.com/a/b',
  ])
  await messageId(ada, 'never ends')
  await expect.poll(() => sideways(ada)).toEqual([])
  // A window of 1440 px at 200 % zoom.
  await ada.setViewportSize({ width: 720, height: 450 })
  await expect(composer(ada)).toBeInViewport({ ratio: 1 })
  await expect.poll(() => sideways(ada)).toEqual([])
  await ada.setViewportSize({ width: 360, height: 640 })
  await ada.goto(`${ada.url()}?thread=${await messageId(ada, 'never ends')}`)
  await expect(replyBox(ada)).toBeVisible()
  await expect.poll(() => sideways(ada)).toEqual([])
  await panel(ada).getByRole('button', { name: 'Close thread' }).tap()
  await ada.goto('/threads')
  await expect(ada.getByText('No threads yet')).toBeVisible()
  await expect.poll(() => sideways(ada)).toEqual([])
  await ada.getByRole('button', { name: 'Show channels' }).tap()
  await ada.getByRole('button', { name: 'Settings' }).tap()
  await expect(ada.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  await expect.poll(() => sideways(ada)).toEqual([])
  const small = await ada
    .getByRole('dialog')
    .locator('button:visible, label:visible:has(input[type=radio]), label:visible:has([type=checkbox])')
    .evaluateAll((all) =>
      all
        .filter((it) => it.getBoundingClientRect().height < 43.5)
        .map((it) => it.textContent || it.getAttribute('aria-label')),
    )
  expect(small).toEqual([])
})

test('Back closes overlays before it leaves the page, and Sign Out asks first', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', phone)
  const general = ada.url()
  await createChannel(ada, uniqueName('pocket'))
  const here = ada.url()
  // The drawer traps the focus and returns it.
  const channels = ada.getByRole('button', { name: 'Show channels' })
  await channels.tap()
  await expect(ada.getByRole('complementary')).toBeFocused()
  await expect(ada.getByRole('main')).toHaveAttribute('inert')
  await ada.keyboard.press('Escape')
  await expect(channels).toBeFocused()
  await expect(ada.getByRole('main')).not.toHaveAttribute('inert')

  /** The number of the overlay whose history entry is the current one. */
  const overlayEntry = () => ada.evaluate(() => history.state?.over ?? null)
  const open = [
    ['Show channels', ada.getByRole('button', { name: 'Close sidebar' }), undefined],
    ['Search', ada.getByRole('dialog', { name: 'Search' }), undefined],
    ['Members', ada.getByRole('dialog', { name: /^Members/ }), 'Close'],
  ] as const
  for (const [name, part, close] of open) {
    await ada.getByRole('button', { name }).first().tap()
    await expect(part).toBeVisible()
    await expect.poll(overlayEntry).not.toBeNull()
    await ada.goBack()
    await expect(part).toHaveCount(0)
    expect(ada.url()).toBe(here)
    // Closing it with its button leaves no entry in the history.
    await ada.getByRole('button', { name }).first().tap()
    await expect(part).toBeVisible()
    if (close) await part.getByRole('button', { name: close }).tap()
    else await ada.keyboard.press('Escape')
    await expect(part).toHaveCount(0)
  }
  await expect.poll(overlayEntry).toBeNull()
  await ada.goBack()
  await expect(ada).toHaveURL(general)

  // Until then, unsent messages cannot be counted.
  await untilPreloaded(ada, 'outbox-database')
  await channels.tap()
  await ada.getByRole('button', { name: 'Sign Out' }).tap()
  const question = ada.getByRole('dialog', { name: 'Sign Out' })
  await expect(question).toContainText('Sign out of Parley?')
  await question.getByRole('button', { name: 'Sign Out' }).tap()
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
})
