import type { Page, Request } from '@playwright/test'
import { callApi, createChannel, expect, openGeneral, say, test, uniqueName } from '../support/fixtures.ts'
import { goTo } from '../support/sidebar.ts'

/** How long to watch a page that should send no more requests. */
const QUIET_MS = 700

/**
 * Records a page's API requests, with ids as `:id`. Returns a function that waits until one of them was sent this often and all
 * are answered, and returns those since its last call.
 */
function recordRequests(page: Page) {
  const requests: string[] = []
  const open = new Set<Request>()
  let last = 0
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    requests.push(`${request.method()} ${pathname.replace(/[\da-f-]{36}/g, ':id')}`)
    open.add(request)
    last = Date.now()
  })
  const close = (request: Request) => open.delete(request)
  page.on('requestfinished', close).on('requestfailed', close)
  return async (awaited: string | undefined, times = 1) => {
    const count = () => requests.filter((request) => request === awaited).length
    if (awaited) await expect.poll(count).toBeGreaterThanOrEqual(times)
    await expect.poll(() => open.size === 0 && Date.now() - last > QUIET_MS).toBe(true)
    return requests.splice(0).sort()
  }
}

test('a newcomer’s page asks for everything once, only sends what they write, and goes back to a channel without asking', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('back.and.forth')
  const channelId = await createChannel(ada, name)
  const nora = await person('Nora Quist', { isNew: true, open: false })
  await callApi(nora, 'POST', `/api/channels/${channelId}/join`)
  const requests = recordRequests(nora)
  await nora.goto('/')
  await expect(nora.getByRole('region', { name: /^Welcome to Parley, / })).toBeVisible()
  // Sent once the socket is connected.
  const load = (await requests('GET /api/threads')).filter((request) => request.startsWith('GET'))
  expect(load).toEqual([...new Set(load)])
  expect(load).toContain('GET /api/users/me/welcome')

  await goTo(nora, name)
  expect(await requests('GET /api/messages/channel/:id')).toEqual([
    'GET /api/channels/:id',
    'GET /api/messages/channel/:id',
  ])
  for (let i = 0; i < 5; i++) await say(nora, `hello ${i}`)
  expect(new Set(await requests('POST /api/messages', 5))).toEqual(new Set(['POST /api/messages']))

  for (let i = 0; i < 5; i++) {
    await openGeneral(nora)
    await goTo(nora, name)
  }
  await openGeneral(nora)
  await expect(nora.getByRole('region', { name: /^Welcome to Parley, / })).toBeVisible()
  expect(await requests(undefined)).toEqual([])
})
