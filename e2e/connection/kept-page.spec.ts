import type { Page } from '@playwright/test'
import { holdServer, pageWithKept, untilKept } from '../support/device-cache.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  say,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { leave } from '../support/live.ts'
import { clickAction, messageId } from '../support/message-rows.ts'
import { cookieNames } from '../support/signing-out.ts'

test('the secret of the session stays in the page: the browser stores only one of two halves', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await pageWithKept(ada, 'kept')
  await ada.reload()
  await expect(message(ada, 'kept')).toBeVisible()
  await expect.poll(() => cookieNames(ada.context())).toEqual(['parley.session_token'])
})

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

test('what was kept stays on screen while the server cannot be reached, and what is typed there, too', async ({
  person,
}) => {
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

test('what is sent and typed in a kept channel, which one was removed from, is not lost', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const general = ada.url()
  const channelId = await createChannel(bob, uniqueName('private'), { isPrivate: true })
  const { id } = await userOn(ada)
  await callApi(bob, 'POST', `/api/channels/${channelId}/invite`, { userId: id })
  await sendMessages(bob, ['only for members'], new URL(`/channels/${channelId}`, general).href)
  await ada.goto(`/channels/${channelId}`)
  await expect(message(ada, 'only for members')).toBeVisible()
  await untilKept(ada)
  const comeBack = await leave(ada)
  await callApi(bob, 'POST', `/api/channels/${channelId}/remove-member`, { userId: id })
  const release = await holdServer(ada)
  await comeBack()
  await say(ada, 'sent too late')
  await composer(ada).fill('still typing')
  release()
  await expect(ada.getByText('You are no longer in')).toBeVisible()
  await expect(ada.getByText('sent too late')).toBeVisible()
  await expect(ada.getByText('still typing')).toBeVisible()
  await expect(message(ada, 'only for members')).toHaveCount(0)
})

test('an edit that was begun on a kept page goes on when the server has answered', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { channelId } = await pageWithKept(ada, 'to be edited')
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  const at = ada.url()
  const comeBack = await leave(ada)
  await sendMessages(bob, ['came meanwhile'], at)
  const release = await holdServer(ada)
  await comeBack()
  await messageId(ada, 'to be edited')
  await composer(ada).press('ArrowUp')
  const editor = ada.getByRole('article').getByRole('textbox')
  await expect(editor).toBeFocused()
  await editor.press('End')
  release()
  await expect(message(ada, 'came meanwhile')).toBeVisible()
  await expect(editor).toBeFocused()
})

test('a menu, an emoji picker and a selection on a kept page stay when the server has answered', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { channelId } = await pageWithKept(ada, 'to be looked at')
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  const at = ada.url()
  const menu = ada.getByRole('menu')
  const picker = ada.getByRole('dialog')
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
    // By then everything was compared, and written again.
    const read = async () => (await callApi(ada, 'GET', `/api/channels/${channelId}`)).unread
    await expect.poll(read).toBe(0)
    expect(await isGoingOn()).toBe(true)
    await ada.unrouteAll()
  }
})

test('a full storage is reported once, and the page works without it', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await pageWithKept(ada, 'before it was full')
  const lines: string[] = []
  ada.on('console', (line) => line.type() === 'error' && lines.push(line.text()))
  ada.on('pageerror', (error) => lines.push(`Uncaught: ${error}`))
  await ada.evaluate(() => {
    const { put } = IDBObjectStore.prototype
    let count = 0
    IDBObjectStore.prototype.put = function (...args) {
      const request = put.apply(this, args)
      if (this.name !== 'contents') return request
      Object.assign(window, { refused: ++count })
      this.transaction.abort()
      return request
    }
  })
  const refused = () => ada.evaluate(() => (window as unknown as { refused?: number }).refused ?? 0)
  for (const nth of [1, 2, 3]) {
    const before = await refused()
    await say(ada, `while full ${nth}`)
    await messageId(ada, `while full ${nth}`)
    await expect.poll(refused).toBeGreaterThan(before)
  }
  await expect.poll(() => lines).toEqual([expect.stringContaining('Nothing could be kept on this device')])
})

/** Notes whether a message that is shown ever disappears. */
const watchRemoved = (page: Page, text: string) =>
  page.evaluate((sought) => {
    new MutationObserver(() => {
      if (!document.body.textContent?.includes(sought)) Object.assign(window, { wasRemoved: true })
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, text)

const wasRemoved = (page: Page) => page.evaluate(() => 'wasRemoved' in window)
