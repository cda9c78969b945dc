import { composer, expect, openTab, test, userOn } from '../support/fixtures.ts'
import { cookieNames, signInAs, signOut, untilOfflineReady, welcome } from '../support/signing-out.ts'

test('a late end of the last session ends neither the next one of the tab that clears its storage nor that of another', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { username } = await userOn(ada)
  const other = await openTab(ada)
  for (const page of [ada, other]) await untilOfflineReady(page)
  await test.step('a tab that failed to end it does not after another tab succeeded', async () => {
    await ada.route('**/api/auth/sign-out', (route) => route.fulfill({ status: 503, json: {} }))
    await signOut(ada)
    for (const page of [ada, other]) await expect(welcome(page)).toBeVisible()
    await signInAs(other, username)
    await expect(composer(other)).toBeVisible()
    await expect(ada.getByText('Your session ends once')).toHaveCount(0)
    await ada.unroute('**/api/auth/sign-out')
    await ada.evaluate(() => dispatchEvent(new Event('online')))
    await other.reload()
    await expect(composer(other)).toBeVisible()
  })
  await test.step('a user who signs in while the browser still clears its storage stays signed in', async () => {
    await untilOfflineReady(other)
    await other.evaluate(() => {
      const { keys } = CacheStorage.prototype
      CacheStorage.prototype.keys = async function () {
        await new Promise((resolve) => addEventListener('clear', resolve, { once: true }))
        return keys.call(this)
      }
    })
    await signOut(other)
    await signInAs(other, username)
    await expect(composer(other)).toBeVisible()
    await other.evaluate(() => window.dispatchEvent(new Event('clear')))
    await other.reload()
    await expect(composer(other)).toBeVisible()
  })
})

test('the late response to a sign-out whose page was left does not end the next session', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const { username } = await userOn(ada)
  const address = ada.url()
  network.holdNext('POST /api/auth/sign-out')
  const sent = ada.waitForRequest('**/api/auth/sign-out')
  await signOut(ada)
  await sent
  await expect(welcome(ada)).toBeVisible()
  await ada.goto(address)
  await signInAs(ada, username)
  await expect(composer(ada)).toBeVisible()
  network.release()
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  expect(await cookieNames(ada.context())).toContain('parley.session_token')
})

test('after a page has repeated a sign-out, the next user is not taken for the previous one', {
  tag: '@long',
}, async ({ person, network }) => {
  const bob = await person('Bob Kahn', { open: false })
  const next = await userOn(bob)
  const ada = await person('Ada Lovelace', { address: network.address })
  const address = ada.url()
  // Not by a route, which would disable the preload of the next page.
  network.refuse('POST /api/auth/sign-out')
  await signOut(ada)
  await expect(welcome(ada)).toBeVisible()
  network.restore()
  await ada.goto(address)
  await signInAs(ada, next.username)
  await expect(composer(ada)).toBeVisible()
  const people = await ada.evaluate(() => JSON.parse(localStorage.getItem('parley.people') ?? '[]') as [string][])
  expect(people.map(([id]) => id)).toEqual([next.id])
})

test('signing out asks about what only another tab holds; offline with full storage it still signs out that tab', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const context = ada.context()
  const other = await openTab(ada)
  for (const page of [ada, other]) await untilOfflineReady(page)
  const question = ada.getByRole('dialog')
  await test.step('it asks about a file that the other tab is uploading', async () => {
    await other.route('**/api/files/upload', () => {})
    await other
      .getByLabel('Files to attach')
      .setInputFiles([{ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('bytes') }])
    await expect(other.getByRole('progressbar')).toBeVisible()
    await signOut(ada)
    await expect(question).toContainText('Another tab has unsaved text.')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await other.getByRole('button', { name: 'Cancel slow.txt' }).click()
    await expect(other.getByRole('progressbar')).toHaveCount(0)
  })
  await test.step('it asks about text that found no room', async () => {
    await ada.evaluate(() => {
      for (let size = 2 ** 22; size >= 1; size /= 2) {
        try {
          for (let nth = 0; nth < 3; nth++) localStorage.setItem(`full ${size} ${nth}`, 'x'.repeat(size))
        } catch {}
      }
    })
    const complaint = other.waitForEvent('console', (it) => it.text().includes('Browser storage is unavailable'))
    await composer(other).fill('a thought that finds no room')
    await complaint
    network.cut()
    await context.setOffline(true)
    await signOut(ada)
    await expect(question).toContainText('Another tab has unsaved text.')
    await question.getByRole('button', { name: 'Discard and sign out' }).click()
    for (const page of [ada, other]) await expect(welcome(page)).toBeVisible()
  })
  // Nobody gets signed in again.
  for (const page of [ada, other]) await page.close()
  network.restore()
  await context.setOffline(false)
  const next = await context.newPage()
  await next.goto('/')
  await expect(welcome(next)).toBeVisible()
})
