import { expect, type Page } from '@playwright/test'
import { composer, createChannel, message, say, sendMessages, test, uniqueName } from '../support/fixtures.ts'
import { keepNothing } from '../support/settings.ts'

/** The texts of the first page, in one language. */
const FIRST_TEXTS = /\/texts-en-first-/

test('only what the HTML names and one language load before the first message; the rest follows by itself', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  await createChannel(ada, uniqueName('long'))
  // More than a page, so that the beginning of the channel is not shown with the first message.
  await sendMessages(
    ada,
    [...Array(60).keys()].map((i) => `line ${i}`),
  )
  await expect(message(ada, 'line 59')).toBeVisible()
  const html = await (await ada.request.get('/')).text()

  await ada.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('article[data-message]')) return
      observer.disconnect()
      performance.mark('first message')
    }).observe(document, { childList: true, subtree: true })
  })
  await ada.reload()
  await expect(message(ada, 'line 59')).toBeVisible()
  const scripts = () =>
    ada.evaluate(() => {
      const shownAt = performance.getEntriesByName('first message')[0]?.startTime ?? 0
      const files = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      return {
        early: files.filter((it) => it.startTime < shownAt).map(({ name }) => name),
        late: files.filter((it) => it.startTime >= shownAt).map(({ name }) => name),
      }
    })
  // Loaded only once the page is idle.
  await expect.poll(async () => (await scripts()).late.some((name) => name.includes('preloaded'))).toBe(true)
  await ada.waitForLoadState('networkidle')
  const { early, late } = await scripts()
  const isNamed = (name: string) => html.includes(new URL(name).pathname)
  expect(early.length).toBeGreaterThan(0)
  expect(early.filter((name) => FIRST_TEXTS.test(name))).toHaveLength(1)
  expect(early.filter((name) => !isNamed(name) && !FIRST_TEXTS.test(name))).toEqual([])
  expect([...early, ...late].filter((name) => /\/texts-(?!en-first|en-rest)/.test(name))).toEqual([])
  // Few files, because each costs the browser and the server some milliseconds.
  expect(late.length).toBeLessThan(8)
  // The emoji data is half a megabyte, and only the picker needs it.
  expect(late.filter((name) => name.includes('/emoji-'))).toEqual([])
  // Served as compressed by the build.
  for (const name of early) expect((await ada.request.get(name)).headers()['content-encoding']).toBe('br')
})

/** Holds back a chunk of the page until released. */
async function holdBack(page: Page, part: string) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(part, async (route) => {
    await released
    await route.continue()
  })
  await page.reload()
  return release
}

test('text typed while a dialog or an edit box loads goes into it, not into the composer; Escape cancels a dialog', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const posted: string[] = []
  ada.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/messages')) posted.push(request.url())
  })
  await createChannel(ada, uniqueName('slow'))
  await sendMessages(ada, ['the first'])
  await composer(ada).fill('half a thought')
  const bring = await holdBack(ada, '**/preloaded-*.js')
  await composer(ada).click()
  await ada.keyboard.press('ControlOrMeta+k')
  await ada.keyboard.type('hello yuo')
  for (const key of ['Backspace', 'Backspace', 'ArrowUp', 'ArrowLeft', 'Tab', 'Enter', 'ControlOrMeta+Enter', 'Delete'])
    await ada.keyboard.press(key)
  await ada.keyboard.type('ou')
  await ada.keyboard.insertText('!')
  await expect(composer(ada)).toHaveValue('half a thought')
  bring()
  await expect(ada.getByRole('dialog').getByRole('combobox')).toHaveValue('hello you!')
  await ada.keyboard.press('Escape')
  await expect(composer(ada)).toHaveValue('half a thought')
  await composer(ada).fill('')

  const bringSoon = await holdBack(ada, '**/preloaded-*.js')
  await composer(ada).click()
  await ada.keyboard.press('ControlOrMeta+k')
  await ada.keyboard.type('never mind')
  await ada.keyboard.press('Escape')
  await ada.keyboard.type('at once')
  await expect(composer(ada)).toHaveValue('at once')
  await composer(ada).fill('')

  await expect(message(ada, 'the first')).toBeVisible()
  await composer(ada).press('ArrowUp')
  await ada.keyboard.type(' and more')
  await expect(composer(ada)).toHaveValue('')
  bringSoon()
  await expect(ada.getByRole('textbox', { name: 'Edit message' })).toHaveValue('the first and more')
  await expect(composer(ada)).toHaveValue('')
  await expect(ada.getByRole('dialog')).toHaveCount(0)
  expect(posted).toEqual([])
})

test('a menu that is asked for before the conversation has loaded opens, although the composer appears meanwhile; if it cannot load, that is said', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await keepNothing(ada)
  let show = () => {}
  const shown = new Promise<void>((resolve) => {
    show = resolve
  })
  await ada.route(/\/api\/(channels|messages)/, async (route) => {
    await shown
    await route.continue()
  })
  const release = await holdBack(ada, '**/assets/preloaded-*.js')
  await ada.getByRole('button', { name: 'My account' }).click()
  await expect(composer(ada)).toHaveCount(0)
  show()
  await expect(composer(ada)).toBeVisible()
  release()
  await expect(ada.getByRole('menu', { name: 'My account' })).toBeVisible()
  await ada.keyboard.press('Escape')
  await expect(ada.getByRole('button', { name: 'My account' })).toBeFocused()

  await ada.unrouteAll()
  await ada.route('**/assets/preloaded-*.js', (route) => route.abort())
  await ada.reload()
  await ada.getByRole('button', { name: /^Parley/ }).click()
  await expect(ada.getByText("Couldn't load this. Check your connection.")).toBeVisible()
})

test('a message sent while the code for uploads loads has its files', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('slow.upload'))
  const release = await holdBack(ada, '**/assets/shared-*.js')
  await composer(ada).fill('with a file')
  await ada
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') })
  await composer(ada).press('Enter')
  await expect(composer(ada)).toHaveValue('with a file')
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  release()
  await expect(ada.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  await composer(ada).press('Enter')
  await expect(message(ada, 'with a file')).toContainText('plan.txt')
})

test('if the network fails before the late parts have loaded, a message still says that it waits; the parts follow', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('tunnel'))
  await say(ada, 'before the tunnel')
  await expect(message(ada, 'before the tunnel').and(ada.locator('[data-message]'))).toBeVisible()
  const html = await (await ada.request.get('/')).text()
  const isLate = ({ pathname }: URL) =>
    pathname.endsWith('.js') && !html.includes(pathname) && !FIRST_TEXTS.test(pathname)
  let refused = 0
  await ada.route(isLate, (route) => {
    refused++
    return route.abort()
  })
  await ada.route('**/api/messages', (route) => route.abort())
  await ada.reload()
  await say(ada, 'in the tunnel')
  await expect(message(ada, 'in the tunnel')).toContainText('Waiting to send: no connection')
  await message(ada, 'before the tunnel').hover()
  await expect.poll(() => refused).toBeGreaterThan(5)
  await expect(ada.getByText("Couldn't load this")).toHaveCount(0)

  await ada.unroute(isLate)
  await expect(message(ada, 'in the tunnel').getByRole('button', { name: 'Discard' })).toBeVisible()
  await expect(message(ada, 'before the tunnel').getByRole('button', { name: 'More actions' })).toBeVisible()
  await expect(ada.getByRole('navigation').getByRole('button', { name: 'Assistant' })).toBeVisible()
  await ada.unroute('**/api/messages')
  await expect(message(ada, 'in the tunnel').and(ada.locator('[data-message]'))).toBeVisible()
})
