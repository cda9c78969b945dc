import type { Page } from '@playwright/test'
import { untilShellStored } from '../support/app-shell.ts'
import { NOTHING, onDevice, untilKept } from '../support/device-cache.ts'
import {
  callApi,
  composer,
  createChannel,
  expect,
  message,
  openTab,
  say,
  sendMessages,
  storedTexts,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { untilPreloaded } from '../support/late-parts.ts'
import { chooseAction, clickAction, messageId } from '../support/message-rows.ts'
import { openSettings } from '../support/settings.ts'
import {
  cookieNames,
  signInAs,
  signOut,
  untilFollowingSignOut,
  untilOfflineReady,
  welcome,
} from '../support/signing-out.ts'
import { createSharedChannel, openThread } from '../support/threads.ts'

/** Everything that a script on the page can read: cookies, storage and caches. */
const readable = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = [document.cookie, ...Object.entries(sessionStorage).flat()]
    for (const [key, value] of Object.entries(localStorage)) found.push(`${key}: ${value}`)
    for (const name of await caches.keys()) {
      const paths = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
      // The program.
      const isShell =
        name.startsWith('parley shell ') && paths.every((path) => /^\/($|activated$|assets\/|[\w-]+\.svg$)/.test(path))
      if (!isShell) found.push(`cache ${name}: ${paths}`)
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of db.objectStoreNames) {
        const all = db.transaction(store).objectStore(store).getAll()
        await new Promise((resolve) => {
          all.onsuccess = resolve
        })
        found.push(...all.result.map((it) => `${name}.${store}: ${JSON.stringify(it)}`))
      }
      db.close()
    }
    return found.filter((it) => it !== '').sort()
  })

test('signing out asks about unsent messages, and sends deletions that could still be undone, also of another tab', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { username } = await userOn(ada)
  const name = uniqueName('regrets')
  const channelId = await createChannel(ada, name)
  const other = await openTab(ada)
  for (const text of ['my secret', 'my other secret']) await say(ada, text)
  await expect(message(other, 'my other secret')).toBeVisible()
  // The other tab shows a message even before it is sent.
  await expect.poll(() => storedTexts(bob, channelId)).toContain('my other secret')
  // Blocked in both tabs, because the other one would send it after a while.
  await ada.context().route('**/api/messages', (route) => route.abort())
  await say(ada, 'not yet')
  await expect(message(ada, 'not yet')).toContainText('Waiting to send')
  await composer(ada).fill('half a thought')
  // Until then, unsent messages cannot be counted.
  await untilPreloaded(ada, 'outbox-database')
  await signOut(ada)
  await expect(ada.getByText('Not sent yet: 1 message and 1 draft.')).toBeVisible()
  await ada.getByRole('button', { name: 'Cancel' }).click()
  await expect(message(ada, 'not yet')).toBeVisible()

  for (const [page, text] of [
    [ada, 'my secret'],
    [other, 'my other secret'],
  ] as const) {
    await chooseAction(page, text, 'Delete message')
    await expect(page.getByText('Message deleted').first()).toBeVisible()
  }
  await signOut(ada)
  await ada.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(welcome(ada)).toBeVisible()
  await expect(ada).toHaveTitle('Parley')
  expect((await storedTexts(bob, channelId)).filter((text) => text.includes('secret'))).toEqual([])

  await expect.poll(() => ada.evaluate(() => JSON.stringify(localStorage))).not.toContain('half a thought')
  await ada.context().unroute('**/api/messages')
  await signInAs(ada, username)
  await ada.getByRole('link', { name }).click()
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(composer(ada)).toHaveValue('')
  await say(ada, 'said later')
  await expect(message(ada, 'said later')).toBeVisible()
  await expect(message(ada, 'not yet')).toHaveCount(0)
})

test('the last messages and replies seen before signing out are read after signing in again', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { username } = await userOn(ada)
  const id = await createSharedChannel(ada, bob)
  await say(ada, 'a question')
  const parentMessageId = await messageId(ada, 'a question')
  const answer = (content: string) => callApi(bob, 'POST', '/api/threads/messages', { parentMessageId, content })
  await answer('an answer')
  await openThread(ada, 'a question')
  const unread = async (page: Page) => {
    const { threads } = await callApi(page, 'GET', '/api/threads')
    const channel = await callApi(page, 'GET', `/api/channels/${id}`)
    return [channel, ...threads].map((it: { unread: number }) => it.unread)
  }
  await expect.poll(() => unread(ada)).toEqual([0, 0])
  // The first requests are lost, and the page closes before it would retry.
  const lost = new Set<string>()
  await ada.route('**/read', async (route) => {
    await route.abort()
    lost.add(route.request().url().includes('/threads/') ? 'replies' : 'messages')
  })
  await callApi(bob, 'POST', '/api/messages', { channelId: id, content: 'read this and go' })
  await answer('one thing more')
  await expect.poll(() => lost.size).toBe(2)
  expect(await unread(ada)).toEqual([1, 1])
  await ada.unroute('**/read')
  await signOut(ada)
  await expect(welcome(ada)).toBeVisible()
  await signInAs(ada, username)
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  const again = await ada.context().newPage()
  await again.goto('/threads')
  expect(await unread(again)).toEqual([0, 0])
})

test('signing out leaves only the device settings in the browser, and the next user finds nothing in its cache', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace', { serviceWorkers: 'allow' })
  await untilShellStored(ada)
  const bob = await person('Bob Kahn', { open: false })
  const next = await userOn(bob)
  await createChannel(ada, uniqueName('secrets'), { isPrivate: true })
  // Not through the composer: pending messages would cause a question at sign-out.
  await sendMessages(ada, ['TOP SECRET words'])
  await ada.reload()
  await expect(message(ada, 'TOP SECRET words')).toBeVisible()
  const fetched = await ada.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const private_ = fetched.filter((url) => /\/api\/(?!auth)/.test(url) && !url.includes('socket'))
  expect(private_.some((url) => url.includes('/messages/channel/'))).toBe(true)
  // Leaves data behind: a reaction, a search, a draft, an unsent message, the theme.
  await clickAction(ada, 'TOP SECRET words', 'Add reaction')
  await ada.locator('em-emoji-picker').getByPlaceholder('Search').fill('palm tree')
  await ada.locator('em-emoji-picker').getByRole('option', { name: '🌴' }).click()
  // While the picker has the focus, it handles keys itself.
  await expect(ada.locator('em-emoji-picker')).toHaveCount(0)
  await ada.keyboard.press('Control+k')
  await ada.getByRole('combobox').fill('words')
  await ada.getByRole('option', { name: /TOP SECRET words/ }).click()
  await openSettings(ada, 'Appearance')
  await ada.getByText('Dark', { exact: true }).click()
  await ada.keyboard.press('Escape')
  await ada.evaluate(async () => {
    await (await caches.open('tts-cache-v1')).put('/tts/of-a-message', new Response('a sound'))
    sessionStorage.setItem('left by a library', 'where I was')
    localStorage.setItem('left by a library', 'what I looked at')
  })
  await ada.route('**/api/messages', (route) => route.abort())
  await say(ada, 'not yet sent')
  await expect(message(ada, 'not yet sent')).toContainText('Waiting to send')
  await composer(ada).fill('half a thought')
  await signOut(ada)
  await ada.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(welcome(ada)).toBeVisible()
  await expect.poll(() => readable(ada)).toEqual(['parley.theme: dark'])
  await expect.poll(() => cookieNames(ada.context())).toEqual([])

  await signInAs(ada, next.username)
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  for (const url of private_) {
    const held = await ada.evaluate(
      (it) =>
        fetch(it, { cache: 'only-if-cached', mode: 'same-origin' }).then(
          (r) => r.text(),
          () => '',
        ),
      url,
    )
    expect(held, url).not.toContain('TOP SECRET')
  }
})

test('a tab that misses the sign-out in another tab stores nothing that is typed afterwards', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('two.tabs'))
  const other = await ada.context().newPage()
  // Like a frozen tab, it receives no events; the end of its socket would sign it out.
  await other.routeWebSocket(/socket\.io/, () => {})
  await other.route('**/socket.io/**', (route) => route.abort())
  // The window calls its listeners in the order in which they were added.
  await other.addInitScript(() => {
    for (const name of ['storage', 'focus']) addEventListener(name, (event) => event.stopImmediatePropagation())
  })
  await other.goto(ada.url())
  await expect(composer(other)).toBeVisible()
  await untilFollowingSignOut(other)
  // A rejection would also sign it out.
  await other.waitForLoadState('networkidle')
  await other.route('**/api/**', (route) => route.abort())
  await signOut(ada)
  await expect(welcome(ada)).toBeVisible()
  // Browsers propagate storage changes between tabs with a delay.
  await expect.poll(() => other.evaluate(() => localStorage.getItem('parley.people'))).toBeNull()
  await composer(other).pressSequentially('half a thought')
  await other.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')))
  await other.close()
  await expect.poll(() => readable(ada)).toEqual(['parley.theme: system'])
})

test('after signing out offline, the session ends once the network is back, on the same page or before the next one', {
  tag: '@long',
}, async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const context = ada.context()
  const { username } = await userOn(ada)
  const address = ada.url()
  const signOutOffline = async () => {
    await untilOfflineReady(ada)
    network.cut()
    await context.setOffline(true)
    await signOut(ada)
    await expect(welcome(ada)).toBeVisible()
  }
  const goOnline = async () => {
    network.restore()
    await context.setOffline(false)
  }
  await signOutOffline()
  await expect(ada.getByText("The server hasn't ended your session yet; this page keeps trying.")).toBeVisible()
  await expect.poll(() => readable(ada)).toEqual(['parley.ending: 1', 'parley.theme: system'])
  await goOnline()
  await expect(ada.getByText("The server hasn't ended your session yet; this page keeps trying.")).toHaveCount(0)
  await expect.poll(() => cookieNames(context)).toEqual([])

  await ada.goto(address)
  await signInAs(ada, username)
  await expect(composer(ada)).toBeVisible()
  await signOutOffline()
  await ada.close()
  await goOnline()
  const again = await context.newPage()
  const requests: string[] = []
  again.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await again.goto(address)
  await expect(welcome(again)).toBeVisible()
  await expect.poll(() => cookieNames(context)).toEqual([])
  expect(requests.filter((path) => path.startsWith('/api/') && !path.startsWith('/api/auth/'))).toEqual([])
  await expect.poll(() => readable(again)).toEqual(['parley.theme: system'])
})

test('once a session has expired nothing is kept of it, and the next user sees nothing of the previous one', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const [{ id }, next] = [await userOn(ada), await userOn(bob)]
  await createChannel(ada, uniqueName('hers'), { isPrivate: true })
  await say(ada, 'what she looked for')
  await messageId(ada, 'what she looked for')
  await ada.keyboard.press('Control+k')
  await ada.getByRole('combobox').fill('looked')
  await ada.getByRole('option', { name: /what she looked for/ }).click()
  await ada.evaluate(async () => {
    await (await caches.open('tts-cache-v1')).put('/tts/of-a-message', new Response('a sound'))
  })
  await untilKept(ada)
  await ada.context().clearCookies()
  await ada.goto('/')
  await expect(welcome(ada)).toBeVisible()
  await expect.poll(() => onDevice(ada)).toEqual(NOTHING)
  await signInAs(ada, next.username)
  await expect(ada.getByRole('heading', { name: 'general' })).toBeVisible()
  const isNext = (it: string) => it === 'cache parley shares: /share/person' // Claims coming shares.
  const left = (await readable(ada)).filter((it) => it.includes(id) || it.startsWith('cache'))
  expect(left.filter((it) => !it.includes('parley.people') && !isNext(it))).toEqual([])
})
