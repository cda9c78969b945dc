import type { Page } from '@playwright/test'
import { callApi, createChannel, expect, openGeneral, say, test, uniqueName } from '../support/fixtures.ts'
import { goTo } from '../support/sidebar.ts'

/** Returns a function that waits until a page is quiet and returns what it has asked of the API since, ids as `:id`. */
function recordRequests(page: Page) {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname.replace(/[\da-f-]{36}/g, ':id')}`)
  })
  return async () => {
    await page.waitForLoadState('networkidle')
    return requests.splice(0).sort()
  }
}

test('a newcomer’s page asks for everything once, only sends what they write, and goes back to a channel without asking', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const name = uniqueName('back.and.forth')
  const channelId = await createChannel(ada, name)
  const nora = await person('Nora Quist', { isNew: true, open: false })
  await callApi(nora, 'POST', `/api/channels/${channelId}/join`)
  const requests = recordRequests(nora)
  await nora.goto('/')
  await expect(nora.getByRole('region', { name: /^Welcome to Parley, / })).toBeVisible()
  const load = (await requests()).filter((request) => request.startsWith('GET'))
  expect(load).toEqual([...new Set(load)])
  expect(load).toContain('GET /api/users/me/welcome')

  await goTo(nora, name)
  expect(await requests()).toEqual(['GET /api/channels/:id', 'GET /api/messages/channel/:id'])
  for (let i = 0; i < 5; i++) await say(nora, `hello ${i}`)
  expect(await requests()).toEqual(Array(5).fill('POST /api/messages'))

  for (let i = 0; i < 5; i++) {
    await openGeneral(nora)
    await goTo(nora, name)
  }
  await expect(nora.getByRole('region', { name: /^Welcome to Parley, / })).toBeVisible()
  expect(await requests()).toEqual([])
})
