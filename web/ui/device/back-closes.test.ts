import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A browser's history, which goes back asynchronously. */
function aHistory() {
  const window = new EventTarget()
  const entries: unknown[] = [null]
  let at = 0
  let steps = 0
  const history = {
    get state() {
      return entries[at]
    },
    pushState(state: unknown) {
      entries.splice(++at, entries.length, state)
    },
    back: () => void steps++,
  }
  /** Takes the requested steps back; each may request another one. */
  const settle = () => {
    for (; steps > 0; steps--) {
      at--
      window.dispatchEvent(new Event('popstate'))
    }
  }
  return {
    window,
    history,
    settle,
    /** The number of the overlay whose entry is the current one. */
    over: () => (history.state as { over?: number } | null)?.over,
    /** The page's own entry is the first. */
    depth: () => at,
    isGoingBack: () => steps > 0,
    pressBack() {
      history.back()
      settle()
    },
  }
}

let browser: ReturnType<typeof aHistory>
let openOverlay: typeof import('./back-closes.ts').openOverlay
beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  browser = aHistory()
  vi.stubGlobal('window', browser.window)
  vi.stubGlobal('history', browser.history)
  ;({ openOverlay } = await import('./back-closes.ts'))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** An overlay that closes itself, by Back or by its button. */
function open() {
  const overlay = { isOpen: true, close: () => {} }
  const end = openOverlay(() => overlay.close())
  overlay.close = () => {
    overlay.isOpen = false
    end()
  }
  return overlay
}
const areOpen = (...overlays: { isOpen: boolean }[]) => overlays.map(({ isOpen }) => isOpen)

test('Back closes the topmost overlay, then the one below, and leaves no entry', () => {
  const [below, top] = [open(), open()]
  expect(browser.depth()).toBe(2)
  browser.pressBack()
  expect(areOpen(below, top)).toEqual([true, false])
  browser.pressBack()
  expect(areOpen(below, top)).toEqual([false, false])
  vi.runAllTimers()
  browser.settle()
  expect(browser.depth()).toBe(0)
})

test('overlays closed by their buttons leave no entry, even if they close together', () => {
  const [below, top] = [open(), open()]
  below.close()
  top.close()
  vi.runAllTimers()
  browser.settle()
  expect(browser.depth()).toBe(0)
})

test('an overlay that replaces another one takes over its entry', () => {
  const menu = open()
  const entry = browser.over()
  menu.close()
  const dialog = open()
  vi.runAllTimers()
  expect([browser.over(), browser.isGoingBack(), dialog.isOpen]).toEqual([entry, false, true])
})

test('an overlay that opens while the browser leaves the entry of a closed one stays open until Back', () => {
  open().close()
  vi.runAllTimers()
  expect(browser.isGoingBack()).toBe(true)
  const next = open()
  browser.settle()
  expect(next.isOpen).toBe(true)
  expect(browser.over()).toBeDefined()
  browser.pressBack()
  expect([next.isOpen, browser.depth()]).toEqual([false, 0])
})
