import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const OLD = '/assets/app-old.js'
const NEW = '/assets/app-new.js'
const page = (script: string) => `<script type="module" crossorigin src="${script}"></script>`

let served: string
let fields: { type: string; value: string }[]
let hasDialog: boolean
let ageMs: number
const reload = vi.fn()
let window: EventTarget

beforeEach(() => {
  // The module holds the state.
  vi.resetModules()
  reload.mockReset()
  ;[served, fields, hasDialog, ageMs] = [NEW, [], false, 120_000]
  window = new EventTarget()
  vi.stubGlobal('window', window)
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('document', {
    querySelector: (selector: string) => (selector.startsWith('script') ? selector.includes(OLD) : hasDialog) || null,
    querySelectorAll: () => fields,
    addEventListener: () => {},
    removeEventListener: () => {},
  })
  // Messages stay unsent.
  vi.stubGlobal('fetch', (url: string) =>
    url === '/' ? Promise.resolve(new Response(page(served))) : new Promise(() => {}),
  )
  vi.spyOn(performance, 'now').mockImplementation(() => ageMs)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Whether a page of the old build reloads automatically. */
async function reloads() {
  const { checkForNewVersion } = await import('./new-version.ts')
  await checkForNewVersion()
  return reload.mock.calls.length > 0
}

test('a page reloads once the server has a new version', async () => {
  expect(await reloads()).toBe(true)
})

test('a page stays while the server has the same version or does not answer', async () => {
  served = OLD
  expect(await reloads()).toBe(false)
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  expect(await reloads()).toBe(false)
})

test('a page does not reload while a field contains text', async () => {
  fields = [{ type: 'textarea', value: ' half a thought' }]
  expect(await reloads()).toBe(false)
})

test('a page does not reload while a message is unsent', async () => {
  const { emptyOutbox, enqueue, openOutbox } = await import('../features/messages/outbox/outbox.ts')
  const stop = openOutbox('ada')
  enqueue({ channelId: 'launch', threadId: null }, 'on its way')
  expect(await reloads()).toBe(false)
  stop()
  await emptyOutbox()
})

test('a page does not reload while a dialog is open', async () => {
  hasDialog = true
  expect(await reloads()).toBe(false)
})

test('a page does not reload while a beforeunload listener prevents it', async () => {
  window.addEventListener('beforeunload', (event) => event.preventDefault())
  expect(await reloads()).toBe(false)
})

test('checkboxes and blank fields do not prevent a reload', async () => {
  fields = [
    { type: 'checkbox', value: 'on' },
    { type: 'text', value: ' ' },
  ]
  expect(await reloads()).toBe(true)
})

test('a page younger than a minute does not reload, because two servers may have different versions', async () => {
  ageMs = 30_000
  expect(await reloads()).toBe(false)
})
