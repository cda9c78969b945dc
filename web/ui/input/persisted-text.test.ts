import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type Persisted = ReturnType<typeof import('./persisted-text.ts').usePersistedText>

let page: typeof import('./persisted-text.ts')
const stored = new Map<string, string>()
const tab = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
  clear: () => stored.clear(),
}

/** Reloads the page, which clears its memory but not the tab's storage. */
async function reload() {
  vi.resetModules()
  page = await import('./persisted-text.ts')
}

/** Opens the field of a form. */
function open(key = 'ada new channel', initial = '') {
  let field: Persisted | undefined
  function Field() {
    field = page.usePersistedText(key, initial)
    return null
  }
  renderToStaticMarkup(createElement(Field))
  return field as unknown as Persisted
}

beforeEach(async () => {
  stored.clear()
  vi.stubGlobal('caches', { keys: async () => [], delete: async () => false })
  vi.stubGlobal('sessionStorage', tab)
  await reload()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('a text survives closing the dialog and reloading the page; each field has its own', async () => {
  open().write('plans')
  expect(open().text).toBe('plans')
  await reload()
  expect(open().text).toBe('plans')
  expect(open('ada my name', 'Ada').text).toBe('Ada')
  expect(open('bob new channel').text).toBe('')
})

test('a text that was sent or discarded is gone, even after a reload', async () => {
  open().write('plans')
  open().forget()
  expect(open().text).toBe('')
  expect([...stored]).toEqual([])
  await reload()
  expect(open().text).toBe('')
})

test('a text equal to the initial one is not stored, so that a later change of it shows', async () => {
  open('ada my name', 'Ada').write('Ada L.')
  open('ada my name', 'Ada').write('Ada')
  expect([...stored]).toEqual([])
  expect(open('ada my name', 'Ada Lovelace').text).toBe('Ada Lovelace')
})

const signOut = async () => (await import('../device/clear-storage.ts')).clearUserData('ada')

test('a text is gone once its user has signed out, even without a reload', async () => {
  open().write('plans')
  await signOut()
  expect([...stored]).toEqual([])
  expect(open().text).toBe('')
})

test('without browser storage, a text survives closing the dialog, and is gone once sent or signed out', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('sessionStorage', undefined)
  open().write('plans')
  expect(open().text).toBe('plans')
  open().forget()
  expect(open().text).toBe('')
  open().write('other plans')
  await signOut()
  expect(open().text).toBe('')
})

test('if storage is full, the last text still counts', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  open().write('plans')
  vi.spyOn(tab, 'setItem').mockImplementationOnce(() => {
    throw new DOMException('It is full', 'QuotaExceededError')
  })
  open().write('longer plans')
  expect(open().text).toBe('longer plans')
  open().write('new plans')
  expect(open().text).toBe('new plans')
  open().forget()
  expect(open().text).toBe('')
})
