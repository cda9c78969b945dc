import { callApi, expect, test } from '../support/fixtures.ts'
import { chooseFromWorkspaceMenu } from '../support/sidebar.ts'

// Other journeys on the same server open the menu by the usual name.
test.afterEach(({ owner }) => callApi(owner, 'PATCH', '/api/workspace', { name: 'Parley' }))

test('the name that the owner gives the workspace appears at once in every open page, and on the sign-in page', {
  tag: '@long',
}, async ({ person, owner: olga, browser, server }) => {
  const bob = await person('Bob Kahn')
  await expect(bob).toHaveTitle('#general · Parley')
  await olga.goto('/admin/settings')
  const name = olga.getByLabel('Workspace name')
  await expect(name).toHaveValue('Parley')
  await name.fill('   ')
  await name.press('Enter')
  await expect(olga.getByRole('alert')).toBeVisible()
  await name.fill('  Acme Labs ')
  await name.press('Enter')
  await expect(olga.getByText('Saved', { exact: true })).toBeVisible()
  await expect(name).toHaveValue('Acme Labs')
  for (const [page, title] of [
    // The owner has other journeys' messages: a dot may stand before her title.
    [olga, /Settings · Acme Labs$/],
    [bob, '#general · Acme Labs'],
  ] as const) {
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('button', { name: 'Acme Labs' })).toBeVisible()
  }
  await bob.reload()
  await expect(bob).toHaveTitle('#general · Acme Labs')

  const visitor = await browser.newPage({ baseURL: server.address })
  await visitor.goto('/sign-in')
  await expect(visitor.getByRole('main')).toContainText('Acme Labs')
  await expect(visitor).toHaveTitle('Acme Labs')
  await visitor.close()

  // A long name in another direction is cut off, and leaves the sidebar as it is.
  await callApi(olga, 'PATCH', '/api/workspace', { name: 'مختبر أكمي للأبحاث والتطوير والتصميم والهندسة المعمارية' })
  const button = bob.getByRole('button', { name: /^مختبر/ })
  await expect(button).toBeVisible()
  const [box, aside] = [await button.boundingBox(), await bob.getByRole('complementary').first().boundingBox()]
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((aside?.x ?? 0) + (aside?.width ?? 0))
})

test('what is typed while the name is being saved stays, and a lost answer leaves the page', { tag: '@long' }, async ({
  owner: olga,
}) => {
  await olga.goto('/admin/settings')
  const name = olga.getByLabel('Workspace name')
  const { promise: typedMore, resolve } = Promise.withResolvers<void>()
  await olga.route('**/api/workspace', async (route) => {
    if (route.request().method() === 'PATCH') await typedMore
    await route.fallback()
  })
  await olga.route('**/api/auth/get-session', (route) => route.abort())
  await name.fill('Acme')
  const saved = olga.waitForResponse((response) => response.request().method() === 'PATCH')
  await name.press('Enter')
  await name.press('End')
  await name.pressSequentially(' Labs')
  resolve()
  await saved
  await expect(name).toHaveValue('Acme Labs')
  await olga.unroute('**/api/auth/get-session')
  await expect(olga).toHaveTitle(/Settings · Acme$/)
  await expect(name).toHaveValue('Acme Labs')
  await name.press('Enter')
  await expect(olga).toHaveTitle(/Settings · Acme Labs$/)
  await expect(olga.getByText('Saved', { exact: true })).toBeVisible()
})

test('a member finds everybody, and marks everything as read, in the menu at the name of the workspace', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace', { open: false })
  const bob = await person('Bob Kahn')
  await chooseFromWorkspaceMenu(bob, 'Members')
  const dialog = bob.getByRole('dialog', { name: 'Members' })
  await dialog.getByLabel('Search members').fill('Ada Lovelace')
  await expect(dialog.getByRole('listitem').first()).toContainText('Ada Lovelace')
  await bob.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  const { id } = await callApi(ada, 'POST', '/api/direct-messages', {
    userIds: [(await (await bob.request.get('/api/auth/get-session')).json()).user.id],
  })
  await callApi(ada, 'POST', '/api/messages', { channelId: id, content: 'Are you there?' })
  await expect(bob).toHaveTitle('(1) #general · Parley')
  await chooseFromWorkspaceMenu(bob, 'Mark everything as read')
  await expect(bob).toHaveTitle('#general · Parley')
})
