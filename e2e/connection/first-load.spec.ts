import type { Page } from '@playwright/test'
import { callApi, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'
import { leave } from '../support/live.ts'
import { messageId } from '../support/message-rows.ts'
import { keepNothing } from '../support/settings.ts'
import { row } from '../support/sidebar.ts'

/** The API requests of a page as 'GET /api/…', without those for authentication. */
function callsOf(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/auth/'))
      calls.push(`${request.method()} ${pathname}${search}`)
  })
  return calls
}

/** Holds back the live connection of a page until released. */
async function holdConnection(page: Page) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/socket.io/**', async (route) => {
    await released
    await route.continue()
  })
  return release
}

test('a page requests nothing twice', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('once'))
  await say(ada, 'the only one')
  // Stored: a message that is still being sent would be sent again after the reload.
  await messageId(ada, 'the only one')

  await keepNothing(ada)
  const comeBack = await leave(ada)
  const calls = callsOf(ada)
  const compared = ada.waitForResponse('**/api/channels/compare')
  await comeBack()
  await expect(message(ada, 'the only one')).toBeVisible()
  await compared
  await expect.poll(() => calls.some((it) => it.startsWith('GET /api/threads'))).toBe(true)
  await expect.poll(() => calls.some((it) => it.startsWith('POST /api/sync'))).toBe(true)
  await ada.waitForLoadState('networkidle')
  expect(calls.filter((it, nth) => calls.indexOf(it) !== nth)).toEqual([])
})

test('nothing is missed between the first responses and the live connection', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Hope', { open: false })
  const [moved, read, gone, made] = ['moved', 'read', 'gone', 'made'].map(uniqueName) as [
    string,
    string,
    string,
    string,
  ]
  const ids: Record<string, string> = {}
  for (const name of [moved, read, gone]) ids[name] = (await callApi(bob, 'POST', '/api/channels', { name })).id
  for (const name of [moved, read]) await callApi(ada, 'POST', `/api/channels/${ids[name]}/join`)
  await callApi(bob, 'POST', '/api/messages', { channelId: ids[read], content: 'unread', clientId: uniqueName('x') })

  const release = await holdConnection(ada)
  await ada.reload()
  await expect(row(ada, read)).toContainText('unread')
  await expect(row(ada, gone)).toBeVisible()
  await callApi(bob, 'POST', '/api/messages', { channelId: ids[moved], content: 'news', clientId: uniqueName('x') })
  await callApi(ada, 'PUT', `/api/channels/${ids[read]}/read`, { seq: 1 })
  await callApi(bob, 'DELETE', `/api/channels/${ids[gone]}`)
  await callApi(bob, 'POST', '/api/channels', { name: made })
  await expect(row(ada, gone)).toBeVisible()
  release()
  await expect(row(ada, moved)).toContainText('unread')
  await expect(row(ada, read)).not.toContainText('unread')
  await expect(row(ada, gone)).toHaveCount(0)
  await expect(row(ada, made)).toBeVisible()
})
