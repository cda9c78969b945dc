import type { Page } from '@playwright/test'
import { callApi, composer, expect, message, openGeneral, test, uniqueName, userOn } from '../support/fixtures.ts'
import { row } from '../support/sidebar.ts'
import { signInAs, signOut, welcome } from '../support/signing-out.ts'

const reads = '**/api/channels/*/read'

/** Counts the read requests of a channel. */
function readsOf(page: Page, channelId: string) {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith(`${channelId}/read`)) count++
  })
  return () => count
}

test('a refused read cursor is not sent again', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Hope', { open: false })
  const { id: me } = await userOn(ada)
  const name = uniqueName('removed')
  const { id } = await callApi(bob, 'POST', '/api/channels', { name, isPrivate: true, members: [me] })
  await callApi(bob, 'POST', '/api/messages', { channelId: id, content: 'seen' })
  await ada.route(reads, (route) => route.abort())
  const count = readsOf(ada, id)
  await row(ada, name).click()
  await expect(message(ada, 'seen')).toBeVisible()
  await expect.poll(count).toBeGreaterThan(0)
  await callApi(bob, 'POST', `/api/channels/${id}/remove-member`, { userId: me })
  await expect(composer(ada)).toHaveCount(0)
  await ada.clock.install()
  const refusal = ada.waitForResponse((it) => it.url().endsWith(`${id}/read`) && it.status() >= 400)
  await ada.unroute(reads)
  await ada.getByRole('link', { name: 'Go to #general' }).click()
  await expect(composer(ada)).toBeVisible()
  await refusal
  const before = count()
  await ada.clock.runFor(60_000)
  expect(count()).toBe(before)
})

test('one user’s read cursor is never sent as the user who signs in next', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const [bob, carol] = [await person('Bob Hope', { open: false }), await person('Carol Shaw', { open: false })]
  const [me, { id: him, username }] = [await userOn(ada), await userOn(bob)]
  const name = uniqueName('both')
  const { id } = await callApi(carol, 'POST', '/api/channels', { name, isPrivate: true, members: [me.id, him] })
  for (const content of ['one', 'two']) await callApi(carol, 'POST', '/api/messages', { channelId: id, content })
  await ada.route(reads, (route) => route.abort())
  const count = readsOf(ada, id)
  await row(ada, name).click()
  await expect(message(ada, 'two')).toBeVisible()
  await expect.poll(count).toBeGreaterThan(0)
  await ada.clock.install()
  await signOut(ada)
  await expect(welcome(ada)).toBeVisible()
  await signInAs(ada, username)
  await expect(row(ada, 'general')).toBeVisible()
  await openGeneral(ada)
  await expect(composer(ada)).toBeVisible()
  await ada.unroute(reads)
  const before = count()
  await ada.clock.runFor(20_000)
  expect(count()).toBe(before)
  expect(await callApi(bob, 'GET', `/api/channels/${id}`)).toMatchObject({ unread: 2 })
})
