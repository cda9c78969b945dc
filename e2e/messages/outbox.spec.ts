import type { Page } from '@playwright/test'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  message,
  messageTexts,
  openGeneral,
  openTab,
  say,
  storedTexts,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'

const posts = '**/api/messages'
const cut = (page: Page) => page.context().route(posts, (route) => route.abort())
const mend = (page: Page) => page.context().unroute(posts)

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`)

test('twenty messages written offline are sent in order and once, even after the tab was closed and reopened', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await createChannel(ada, uniqueName('offline'))
  await say(ada, 'before')
  await expect.poll(() => storedTexts(ada)).toEqual(['before'])
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
})

test('a message whose response was lost with the page appears once after reopening', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('midsend'))
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await ada.route(posts, async (route) => {
    await route.fetch()
    arrive()
  })
  await say(ada, 'into the reload')
  await say(ada, 'right behind it')
  await arrived
  await ada.unroute(posts)
  await ada.reload()
  await expect.poll(() => storedTexts(ada)).toEqual(['into the reload', 'right behind it'])
  await expect(ada.getByRole('article')).toHaveCount(2)
})

test('two tabs show the same unsent messages, either can act on them, and one takes over from the other', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('two.tabs'))
  const other = await openTab(ada)
  // Every attempt, because a tab that closes may still send the one that was held back.
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
  await expect(message(ada, 'thrown away')).toHaveCount(0)
  await expect(message(other, 'thought over')).toContainText('Waiting to send')
  await message(other, 'thought over').getByRole('button', { name: 'Edit' }).click()
  await expect(message(ada, 'thought over')).toHaveCount(0)
  for (const page of [ada, other]) await expect(composer(page)).toHaveValue('thought over')

  await ada.close()
  await mend(other)
  await expect.poll(() => storedTexts(other)).toEqual(['sent by the other', 'and in order'])
  await expect(other.getByText('Waiting to send')).toHaveCount(0)
  for (const text of ['sent by the other', 'and in order'])
    expect(new Set(posted.filter((body) => body.includes(text))).size).toBe(1)
})

test('a message that another tab wrote stays as a failed row if it is refused', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('refused'))
  await cut(ada)
  await say(ada, 'not welcome')
  await expect(message(ada, 'not welcome')).toContainText('Waiting to send')
  // The page's routes come before those of its context, so nothing is sent in between.
  await ada.route(posts, (route) =>
    route.fulfill({ status: 403, json: { error: { code: 'forbidden', message: 'Not now' } } }),
  )
  await mend(ada)
  await ada.reload()
  await expect(message(ada, 'not welcome')).toContainText('Not sent: not now')
  await ada.reload()
  await expect(message(ada, 'not welcome')).toContainText('Not sent: not now')
  await ada.unroute(posts)
  await message(ada, 'not welcome').getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => storedTexts(ada)).toEqual(['not welcome'])
})

test('text written for a deleted channel can be read and copied until it is discarded', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('doomed'))
  await cut(ada)
  await say(ada, 'too late')
  await expect(message(ada, 'too late')).toContainText('Waiting to send')
  await composer(ada).fill('half a thought')
  await callApi(ada, 'DELETE', `/api/channels/${channelIdOn(ada)}`)
  const lost = ada.getByRole('main').getByRole('list', { name: 'Not sent' }).getByRole('listitem')
  await expect(lost).toHaveCount(2)
  // The draft is stored before a user could have read the notice.
  await expect
    .poll(() => ada.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('parley.draft.'))))
    .toBe(true)
  await ada.reload()
  await expect(lost.filter({ hasText: 'too late' })).toContainText('Unsent message')
  await lost.filter({ hasText: 'too late' }).getByRole('button', { name: 'Discard' }).click()
  await expect(lost).toHaveCount(1)
  await ada.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await lost.getByRole('button', { name: 'Copy text' }).click()
  await expect.poll(() => ada.evaluate(() => navigator.clipboard.readText())).toBe('half a thought')
  await lost.getByRole('button', { name: 'Discard' }).click()
  await expect(lost).toHaveCount(0)
})

test('a conversation with a draft shows a pencil, also after a reload', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { id } = await callApi(ada, 'POST', '/api/direct-messages', { userIds: [(await userOn(bob)).id] })
  await ada.goto(`/channels/${id}`)
  await composer(ada).fill('half a thought')
  await ada.reload()
  await openGeneral(ada)
  await expect(composer(ada)).toHaveValue('')
  await expect(ada.getByRole('navigation').getByLabel('Draft')).toHaveCount(1)
})

test('a draft survives a reload and closing all tabs, and shows in other tabs', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('drafts')
  await createChannel(ada, name)
  const other = await openTab(ada)
  await composer(ada).fill('half a thought')
  await expect(composer(other)).toHaveValue('half a thought')
  await composer(ada).fill('half a thought, and more')
  await ada.reload()
  await expect(composer(ada)).toHaveValue('half a thought, and more')
  // While this tab has a draft, changes in the other tab do not affect it.
  await composer(ada).fill('mine')
  await composer(other).fill('theirs')
  await composer(other).fill('')
  await expect(composer(ada)).toHaveValue('mine')
  await composer(ada).fill('last of all')
  await expect(composer(other)).toHaveValue('last of all')

  await other.close()
  const url = ada.url()
  await ada.close()
  const again = await ada.context().newPage()
  await again.goto(url)
  await expect(composer(again)).toHaveValue('last of all')
  await composer(again).press('Enter')
  await expect(message(again, 'last of all')).toBeVisible()
  await again.reload()
  await expect(message(again, 'last of all')).toBeVisible()
  await expect(composer(again)).toHaveValue('')
})

test('without IndexedDB, unsent messages stay in the page; if nothing can be stored, it says so', async ({
  person,
}) => {
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
    // An automatic retry may be under way already.
    if (await retry.isVisible()) await retry.click({ timeout: 1000 })
    expect(await storedTexts(ada)).toEqual(['against the odds', 'only here'])
  }).toPass()
  expect(errors).toEqual([])
})

test('a message written before the database code has loaded is stored and appears once', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await createChannel(ada, uniqueName('early'))
  const url = ada.url()
  const code = '**/outbox-database-*.js'
  // A request that a route holds back would be sent when its page closes.
  network.refuse('POST /api/messages')
  await ada.context().route(code, (route) => route.abort())
  await ada.reload()
  await say(ada, 'with neither network nor database')
  await expect(message(ada, 'with neither network nor database')).toContainText('Waiting to send')

  await ada.context().unroute(code)
  await ada.goto(url)
  await expect(message(ada, 'with neither network nor database')).toContainText('Waiting to send')
  await ada.close()
  const again = await ada.context().newPage()
  await again.goto(url)
  await expect(message(again, 'with neither network nor database')).toContainText('Waiting to send')
  network.restore()
  await again.reload()
  await expect.poll(() => storedTexts(again)).toEqual(['with neither network nor database'])
})
