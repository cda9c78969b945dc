import {
  callApi,
  channelIdOn,
  composer,
  createChannel,
  expect,
  message,
  openGeneral,
  say,
  test,
  uniqueName,
} from '../support/fixtures.ts'
import { openSettings, showSettings } from '../support/settings.ts'
import { cookieNames } from '../support/signing-out.ts'

test('chat, search and settings work where the browser blocks all storage', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('forbidden'))
  const errors: string[] = []
  ada.on('pageerror', (error) => errors.push(String(error)))
  await ada.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The page may keep nothing', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'BroadcastChannel'])
      Object.defineProperty(window, name, { get: refuse })
    Object.defineProperty(navigator, 'locks', { get: refuse })
    // The user has not been asked yet, so the page reads whether it asked before.
    Object.defineProperty(Notification, 'permission', { get: () => 'default' })
  })
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await say(ada, 'nothing is kept')
  await expect(message(ada, 'nothing is kept')).toBeVisible()
  const stored = async () =>
    ((await callApi(ada, 'GET', `/api/messages/channel/${channelIdOn(ada)}`)) as { content: string }[]).length
  await expect.poll(stored).toBe(1)
  await composer(ada).fill('half a thought')
  await openGeneral(ada)
  await ada.goBack()
  await expect(composer(ada)).toHaveValue('half a thought')
  await openSettings(ada, 'Notifications')
  await expect(ada.getByRole('button', { name: 'Turn on' })).toBeVisible()
  await showSettings(ada, 'Appearance')
  await ada.getByText('Dark', { exact: true }).click()
  await expect(ada.locator('html')).toHaveAttribute('data-theme', 'dark')
  await ada.keyboard.press('Escape')
  await composer(ada).fill('')
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect.poll(() => cookieNames(ada.context())).toEqual([])
  expect(errors).toEqual([])
})

test('nothing breaks when the browser’s storage is full', { tag: '@long' }, async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('full'))
  const errors: string[] = []
  ada.on('pageerror', (error) => errors.push(String(error)))
  await ada.addInitScript(() => {
    const full = () => {
      throw new DOMException('It is full', 'QuotaExceededError')
    }
    Storage.prototype.setItem = full
    Cache.prototype.put = full
    IDBObjectStore.prototype.put = full
    Object.defineProperty(Notification, 'permission', { get: () => 'default' })
  })
  await ada.reload()
  await say(ada, 'there is no room')
  await expect(message(ada, 'there is no room')).toBeVisible()
  await composer(ada).fill('half a thought')
  await openGeneral(ada)
  await ada.goBack()
  await expect(composer(ada)).toHaveValue('half a thought')
  await composer(ada).fill('')
  await openSettings(ada, 'Notifications')
  await ada.getByRole('button', { name: 'Turn on' }).click()
  await ada.keyboard.press('Escape')
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect.poll(() => cookieNames(ada.context())).toEqual([])
  expect(errors).toEqual([])
})
