import type { Page } from '@playwright/test'
import {
  composer,
  createChannel,
  expect,
  message,
  messageTexts,
  openTab,
  say,
  storedTexts,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { chooseAction, toast } from '../support/message-rows.ts'
import { undoButton } from '../support/sidebar.ts'
import { signOut, welcome } from '../support/signing-out.ts'

const posts = '**/api/messages'
/** The code of the IndexedDB outbox, which loads after the page. */
const code = '**/assets/outbox-database-*'
const cut = (page: Page) => page.context().route(posts, (route) => route.abort())
const mend = (page: Page) => page.context().unroute(posts)

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`)

test('messages written offline, or whose response was lost, are sent in order and once, even if the page was closed', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await createChannel(ada, uniqueName('offline'))
  await say(ada, 'before')
  await expect.poll(() => storedTexts(ada)).toEqual(['before'])
  // Unsent messages show only in a list that has loaded.
  await expect(message(ada, 'before')).toBeVisible()
  await untilPreloaded(ada, 'preloaded')
  network.cut()
  await ada.context().setOffline(true)
  for (const text of numbered(20)) await say(ada, text)
  await expect(message(ada, 'line 20')).toContainText('Waiting to send: no connection')
  const url = ada.url()
  await ada.close()

  network.restore()
  await ada.context().setOffline(false)
  const again = await ada.context().newPage()
  await again.goto(url)
  await expect.poll(() => storedTexts(again)).toEqual(['before', ...numbered(20)])
  await expect(again.getByText('Waiting to send')).toHaveCount(0)
  await expect.poll(() => messageTexts(again)).toContain('line 20')

  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  await again.route(posts, async (route) => {
    await route.fetch()
    arrive()
  })
  await say(again, 'into the reload')
  await say(again, 'right behind it')
  await arrived
  await again.unroute(posts)
  await again.reload()
  const all = ['before', ...numbered(20), 'into the reload', 'right behind it']
  await expect.poll(() => storedTexts(again)).toEqual(all)
  await expect(message(again, 'right behind it')).not.toContainText('Waiting to send')
  await expect.poll(async () => (await messageTexts(again)).slice(-3)).toEqual(all.slice(-3))
})

test('a message written before the database code has loaded survives a crash of the page, and appears once', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await createChannel(ada, uniqueName('early'))
  const url = ada.url()
  const context = ada.context()
  // A request held back by a route would be sent when its page closes.
  network.refuse('POST /api/messages')
  await ada.route(code, (route) => route.abort())
  await ada.reload()
  await say(ada, 'my last words')
  await expect(message(ada, 'my last words')).toContainText('Waiting to send')
  const died = new Promise((resolve) => ada.once('crash', resolve))
  const devtools = await context.newCDPSession(ada)
  // The command never responds.
  void devtools.send('Page.crash').catch(() => {})
  await died

  const again = await context.newPage()
  await again.goto(url)
  await expect(message(again, 'my last words')).toContainText('Waiting to send')
  // By now the message is in the database. Without its code, the next page sends nothing; once the code has loaded, it sends
  // everything.
  let refused = 0
  await again.route(code, (route) => {
    refused++
    return route.abort()
  })
  await again.reload()
  await expect(composer(again)).toBeVisible()
  await expect.poll(() => refused).toBeGreaterThan(0)
  network.restore()
  await again.unroute(code)
  await expect.poll(() => storedTexts(again)).toEqual(['my last words'])
  await expect(message(again, 'my last words').and(again.locator('[data-message]'))).toBeVisible()
  await expect(again.getByRole('article')).toHaveCount(1)
})

test('two tabs show the same unsent messages, either can act on them, and one takes over from the other', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('two.tabs'))
  const other = await openTab(ada)
  // Records every attempt, because a closing tab may still send the one that was held back.
  const posted: string[] = []
  ada.context().on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/messages')) posted.push(request.postData() ?? '')
  })
  await cut(ada)
  const texts = ['thrown away', 'thought over', 'sent by the other', 'and in order']
  for (const text of texts) await say(ada, text)
  await expect(message(other, 'thrown away')).toContainText('Waiting to send')
  for (const page of [ada, other]) await expect.poll(() => messageTexts(page)).toEqual(texts)

  await message(other, 'thrown away').getByRole('button', { name: 'Discard' }).click()
  const undo = await undoButton(other, 'Message discarded')
  await expect(message(ada, 'thrown away')).toHaveCount(0)
  await undo.click()
  await expect(message(ada, 'thrown away')).toBeVisible()
  await message(other, 'thrown away').getByRole('button', { name: 'Discard' }).click()
  await expect(message(ada, 'thrown away')).toHaveCount(0)
  await expect(message(other, 'thought over')).toContainText('Waiting to send')
  await message(other, 'thought over').getByRole('button', { name: 'Edit' }).click()
  await expect(message(ada, 'thought over')).toHaveCount(0)
  for (const page of [ada, other]) await expect(composer(page)).toHaveValue('thought over')
  await composer(other).fill('')

  // They were written in another tab, so a rejected one stays as a failed row. The page's routes take precedence over its
  // context's.
  await ada.close()
  await other.route(posts, (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'Not now' } } }),
  )
  await mend(other)
  for (const text of texts.slice(2)) await expect(message(other, text)).toContainText('Not sent: not now')
  await other.reload()
  for (const text of texts.slice(2)) await expect(message(other, text)).toContainText('Not sent: not now')
  await other.unroute(posts)
  for (const [nth, text] of texts.slice(2).entries()) {
    await message(other, text).getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => storedTexts(other)).toEqual(texts.slice(2, 3 + nth))
    expect(new Set(posted.filter((body) => body.includes(text))).size).toBe(1)
  }
})

test('without IndexedDB, unsent messages stay in the page; if nothing can be stored, it says so', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const errors: string[] = []
  ada.on('pageerror', (error) => errors.push(String(error)))
  await createChannel(ada, uniqueName('private.window'))
  await ada.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Not here', 'SecurityError')
    }
  })
  await ada.reload()
  await cut(ada)
  await say(ada, 'against the odds')
  await expect(message(ada, 'against the odds')).toContainText('Waiting to send: no connection')
  await mend(ada)
  await ada.reload()
  await expect.poll(() => storedTexts(ada)).toEqual(['against the odds'])

  await ada.addInitScript(() => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (key, value) {
      if (/^parley.(draft|unsent)/.test(key)) throw new DOMException('Full', 'QuotaExceededError')
      setItem.call(this, key, value)
    }
  })
  await ada.reload()
  await cut(ada)
  await say(ada, 'only here')
  await expect(message(ada, 'only here')).toContainText('Keep this page open until it is sent')
  await mend(ada)
  const retry = message(ada, 'only here').getByRole('button', { name: 'Retry' })
  await expect(async () => {
    // An automatic retry may already be running.
    if (await retry.isVisible()) await retry.click({ timeout: 1000 })
    expect(await storedTexts(ada)).toEqual(['against the odds', 'only here'])
  }).toPass()
  expect(errors).toEqual([])
})

test('signing out asks before it discards unsent text, and leaves no message, even if the database code never loads', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('leaves'))
  await composer(ada).fill('half a thought')
  await signOut(ada)
  await expect(ada.getByRole('dialog')).toBeVisible()
  await ada.getByRole('button', { name: 'Cancel' }).click()
  await expect(composer(ada)).toHaveValue('half a thought')

  await cut(ada)
  await say(ada, 'a secret that waits')
  await expect(message(ada, 'a secret that waits')).toContainText('Waiting to send')
  await ada.context().route(code, (route) => route.abort())
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await signOut(ada)
  await expect(ada.getByText("Unsent messages couldn't be counted.")).toBeVisible()
  await ada.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(welcome(ada)).toBeVisible()
  const kept = () =>
    ada.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open('parley')
          opening.onsuccess = () => {
            const all = opening.result.transaction('messages').objectStore('messages').getAll()
            all.onsuccess = () => {
              opening.result.close()
              resolve(all.result)
            }
          }
        }),
    )
  await expect.poll(kept).toEqual([])
})

test('a message can be deleted without a connection, if it returns before the time for Undo is over', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('tunnel'))
  await say(ada, 'to be deleted')
  await expect.poll(() => storedTexts(ada)).toEqual(['to be deleted'])
  for (const part of ['preloaded', 'toaster']) await untilPreloaded(ada, part)
  await ada.context().setOffline(true)
  await chooseAction(ada, 'to be deleted', 'Delete message')
  await expect(toast(ada, 'Message deleted')).toBeVisible()
  await ada.context().setOffline(false)
  // A deleted message has no text.
  await expect.poll(() => storedTexts(ada)).toEqual([''])
})
