import type { Page } from '@playwright/test'
import { holdServer, pageWithKept, untilKept } from '../support/device-cache.ts'
import { callApi, composer, expect, message, say, sendMessages, test } from '../support/fixtures.ts'
import { leave } from '../support/live.ts'
import { clickAction, messageId } from '../support/message-rows.ts'

test('a device that reads too slowly does not set the page back to what it kept', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { channelId } = await pageWithKept(ada, 'was kept')
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  const at = ada.url()
  const comeBack = await leave(ada)
  await sendMessages(bob, ['came meanwhile'], at)
  await ada.addInitScript(() => {
    const { decrypt } = SubtleCrypto.prototype
    const begun = new Promise<void>((resolve) => Object.assign(window, { beginReading: resolve }))
    SubtleCrypto.prototype.decrypt = async function (...args) {
      await begun
      return decrypt.apply(this, args)
    }
  })
  await comeBack()
  await expect(message(ada, 'came meanwhile')).toBeVisible()
  await watchRemoved(ada, 'came meanwhile')
  await ada.evaluate(() => (window as unknown as { beginReading: () => void }).beginReading())
  const unread = async () => (await callApi(ada, 'GET', `/api/channels/${channelId}`)).unread
  await expect.poll(unread).toBe(0)
  await say(ada, 'written after that')
  await messageId(ada, 'written after that')
  await untilKept(ada)
  expect(await wasRemoved(ada)).toBe(false)
})

test('what was kept stays on screen while the server cannot be reached, and what is typed there, too', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await pageWithKept(ada, 'kept while unreachable')
  const comeBack = await leave(ada)
  const asked = ada.waitForEvent('requestfailed', (request) => request.url().includes('/get-session'))
  await ada.route(/\/(api|socket\.io)\//, (route) => route.abort())
  await comeBack()
  await asked
  await expect(message(ada, 'kept while unreachable')).toBeVisible()
  await composer(ada).fill('typed meanwhile')
  await expect(ada.getByRole('status').filter({ hasText: /Connecting|Can't reach/ })).toBeVisible()
  await ada.unrouteAll()
  await expect(message(ada, 'kept while unreachable')).toBeVisible()
  await expect(composer(ada)).toHaveValue('typed meanwhile')
  await composer(ada).press('Enter')
  await messageId(ada, 'typed meanwhile')
})

test('a menu, an emoji picker, a selection and an edit on a kept page stay when the server has answered', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { channelId } = await pageWithKept(ada, 'to be looked at')
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  const at = ada.url()
  const menu = ada.getByRole('menu')
  const picker = ada.getByRole('dialog')
  const editor = ada.getByRole('article').getByRole('textbox')
  const uses = [
    {
      begin: () => clickAction(ada, 'to be looked at', 'More actions'),
      isGoingOn: () => menu.isVisible(),
    },
    {
      begin: () => clickAction(ada, 'to be looked at', 'Add reaction'),
      isGoingOn: () => picker.isVisible(),
    },
    {
      begin: () => message(ada, 'to be looked at').locator('.prose').selectText(),
      isGoingOn: () => ada.evaluate(() => String(getSelection()).includes('to be looked at')),
    },
    {
      begin: async () => {
        await composer(ada).press('ArrowUp')
        await editor.press('End')
      },
      isGoingOn: () => editor.evaluate((it) => it === document.activeElement),
    },
  ]
  for (const [nth, { begin, isGoingOn }] of uses.entries()) {
    const comeBack = await leave(ada)
    await sendMessages(bob, [`came meanwhile ${nth}`], at)
    const release = await holdServer(ada)
    await comeBack()
    await begin()
    await expect.poll(isGoingOn).toBe(true)
    release()
    await expect(message(ada, `came meanwhile ${nth}`)).toBeAttached()
    // By then everything has been compared and stored again.
    const read = async () => (await callApi(ada, 'GET', `/api/channels/${channelId}`)).unread
    await expect.poll(read).toBe(0)
    expect(await isGoingOn()).toBe(true)
    await ada.unrouteAll()
  }
})

/** Tracks whether a visible message ever disappears. */
const watchRemoved = (page: Page, text: string) =>
  page.evaluate((sought) => {
    new MutationObserver(() => {
      if (!document.body.textContent?.includes(sought)) Object.assign(window, { wasRemoved: true })
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, text)

const wasRemoved = (page: Page) => page.evaluate(() => 'wasRemoved' in window)
