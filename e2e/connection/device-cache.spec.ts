import { holdServer, NOTHING, onDevice, pageWithKept, untilKept, wasSeen, watchFor } from '../support/device-cache.ts'
import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  message,
  openTab,
  say,
  sendMessages,
  test,
  uniqueName,
  userOn,
} from '../support/fixtures.ts'
import { leave } from '../support/live.ts'
import { messageId } from '../support/message-rows.ts'
import { openSettings } from '../support/settings.ts'
import { row } from '../support/sidebar.ts'
import { cookieNames, endElsewhere, signInAs, signOut, welcome } from '../support/signing-out.ts'

test('what was on screen last is drawn before the server answers, and then becomes true; what is new is unread', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { name, channelId } = await pageWithKept(ada, 'will stay')
  await callApi(bob, 'POST', `/api/channels/${channelId}/join`)
  const at = ada.url()
  await sendMessages(bob, ['will be deleted', 'will be edited'], at)
  const gone = await messageId(ada, 'will be deleted')
  const changed = await messageId(ada, 'will be edited')
  await untilKept(ada)

  const comeBack = await leave(ada)
  await callApi(bob, 'DELETE', `/api/messages/${gone}`)
  await callApi(bob, 'PUT', `/api/messages/${changed}`, { content: 'was edited' })
  await sendMessages(bob, ['came meanwhile'], at)
  const release = await holdServer(ada)
  await comeBack()
  await expect(message(ada, 'will be deleted')).toBeVisible()
  await expect(ada.getByRole('heading', { name })).toBeVisible()
  await expect(row(ada, 'general')).toBeVisible()
  await expect(composer(ada)).toBeVisible()
  await expect(message(ada, 'was edited')).toHaveCount(0)
  release()
  await expect(message(ada, 'was edited')).toBeVisible()
  await expect(message(ada, 'will be deleted')).toHaveCount(0)
  await expect(message(ada, 'will stay')).toBeVisible()
  await expect(message(ada, 'came meanwhile')).toBeVisible()
  await expect(ada.getByText('New', { exact: true })).toBeVisible()
  await say(ada, 'and it works')
  await messageId(ada, 'and it works')
})

test('of a channel that one was removed from meanwhile, the first answer removes everything but what one wrote there', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const general = ada.url()
  const name = uniqueName('private')
  const channelId = await createChannel(bob, name, { isPrivate: true })
  const { id } = await userOn(ada)
  await callApi(bob, 'POST', `/api/channels/${channelId}/invite`, { userId: id })
  await sendMessages(bob, ['only for members'], new URL(`/channels/${channelId}`, general).href)
  await ada.goto(`/channels/${channelId}`)
  await expect(message(ada, 'only for members')).toBeVisible()
  await untilKept(ada)

  const comeBack = await leave(ada)
  await callApi(bob, 'POST', `/api/channels/${channelId}/remove-member`, { userId: id })
  const release = await holdServer(ada)
  // The remaining sync never completes.
  await ada.route('**/api/sync', () => {})
  await comeBack()
  await say(ada, 'sent too late')
  await composer(ada).fill('still typing')
  release()
  await expect(ada.getByText('You are no longer in')).toBeVisible()
  await expect(ada.getByText('sent too late')).toBeVisible()
  await expect(ada.getByText('still typing')).toBeVisible()
  await expect(message(ada, 'only for members')).toHaveCount(0)
  await expect.poll(async () => Object.keys((await onDevice(ada)).records)).not.toContain(channelId)
  await ada.goto(general)
  await expect(composer(ada)).toBeVisible()
  await expect(row(ada, name)).toHaveCount(0)
})

test('switching it off and signing out each remove everything that was kept, and scripts see one half of the key', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await pageWithKept(ada, 'not on this computer')
  await openSettings(ada, 'Devices')
  const choice = ada.getByRole('checkbox', { name: 'Keep messages on this device' })
  await expect(choice).toBeChecked()
  await choice.uncheck()
  await expect.poll(() => onDevice(ada)).toEqual(NOTHING)
  await ada.keyboard.press('Escape')
  await say(ada, 'neither is this')
  await messageId(ada, 'neither is this')

  const comeBack = await leave(ada)
  const release = await holdServer(ada)
  await comeBack()
  await expect(ada.getByText('Loading')).toBeVisible()
  release()
  await expect(message(ada, 'neither is this')).toBeVisible()
  expect(await onDevice(ada)).toEqual(NOTHING)

  await openSettings(ada, 'Devices')
  await choice.check()
  await ada.keyboard.press('Escape')
  await untilKept(ada)
  const other = await openTab(ada)
  // The half delivered with the page stays in its memory.
  await expect.poll(() => cookieNames(ada.context())).toEqual(['parley.session_token'])
  await signOut(ada)
  for (const page of [ada, other]) await expect(welcome(page)).toBeVisible()
  await expect.poll(() => onDevice(ada)).toEqual(NOTHING)
  await expect.poll(() => cookieNames(ada.context())).toEqual([])
})

test('another person who signs in never sees what was kept, even if the first one did not sign out', async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  const bob = await person('Bob Kahn', { open: false })
  const { username } = await userOn(bob)
  await pageWithKept(ada, 'hers alone', { isPrivate: true })
  const at = ada.url()
  await ada.goto('about:blank')
  const data = { username, password: 'correct horse' }
  const origin = new URL(at).origin
  expect((await ada.request.post('/api/auth/sign-in/username', { data, headers: { origin } })).status()).toBe(200)
  await watchFor(ada, 'hers alone')
  const release = await holdServer(ada)
  await ada.goto(at)
  await expect(ada.getByText('Loading')).toBeVisible()
  release()
  await expect(row(ada, 'general')).toBeVisible()
  expect(await wasSeen(ada)).toBe(false)
  await expect.poll(async () => Object.keys((await onDevice(ada)).records)).not.toContain(channelIdOn(ada))
})

test('after the session was ended elsewhere, going back to its page shows nothing that was kept, and removes it', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await pageWithKept(ada, 'must not come back')
  // After a reload, the browser could cache the page under its URL.
  await ada.reload()
  await expect(message(ada, 'must not come back')).toBeVisible()
  await untilKept(ada)
  const { username } = await userOn(ada)
  const at = ada.url()
  await ada.goto('about:blank')
  await endElsewhere(await person('Ada Elsewhere', { open: false }), username, at)
  await watchFor(ada, 'must not come back')
  // Slow responses leave time to see it. Intercepting requests would disable the browser's cache.
  const slow = { offline: false, latency: 600, downloadThroughput: -1, uploadThroughput: -1 }
  const browser = await ada.context().newCDPSession(ada)
  await browser.send('Network.emulateNetworkConditions', slow)
  await ada.goBack()
  await expect(welcome(ada)).toBeVisible()
  expect(await wasSeen(ada)).toBe(false)
  await expect.poll(() => onDevice(ada)).toEqual(NOTHING)
  await signInAs(ada, username)
  await expect(message(ada, 'must not come back')).toBeVisible()
})

test('a damaged record only makes the start as slow as the first one; a full storage is reported once', {
  tag: '@long',
}, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const { channelId } = await pageWithKept(ada, 'was damaged')
  const errors: string[] = []
  ada.on('pageerror', (error) => errors.push(String(error)))
  const comeBack = await leave(ada)
  await ada.goto('/icon.svg')
  await ada.evaluate(async (damaged) => {
    const opening = indexedDB.open('parley.device')
    await new Promise((resolve) => {
      opening.onsuccess = resolve
    })
    const db = opening.result
    const contents = db.transaction('contents', 'readwrite').objectStore('contents')
    const bytes = new Uint8Array(100)
    contents.put({ iv: bytes.slice(0, 12), content: bytes.buffer }, damaged)
    contents.put('not even a record', 'start')
    await new Promise((resolve) => {
      contents.transaction.oncomplete = resolve
    })
    db.close()
  }, channelId)
  await comeBack()
  await expect(message(ada, 'was damaged')).toBeVisible()
  await expect(composer(ada)).toBeVisible()
  // It is cached again.
  await expect.poll(async () => (await onDevice(ada)).records[channelId] ?? 0).toBeGreaterThan(200)
  await untilKept(ada)

  const logged: string[] = []
  ada.on('console', (line) => line.type() === 'error' && logged.push(line.text()))
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
  await expect.poll(() => logged).toEqual([expect.stringContaining('Failed to write to the device cache')])
  expect(errors).toEqual([])
})
