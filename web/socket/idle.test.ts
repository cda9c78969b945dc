import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Change, SharedStorage } from '../test/shared-storage.ts'
import { IDLE_MS, timeToIdle, trackIdleness } from './idle.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const MINUTE_MS = 60_000
let tabs: EventTarget[] = []
let endings: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
  vi.stubGlobal('localStorage', new SharedStorage())
})
afterEach(() => {
  for (const end of endings) end()
  tabs = []
  endings = []
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Opens a tab; the browser reports changes of the storage to the other tabs. */
function openTab(visibilityState = 'visible') {
  const tab = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState })
  vi.stubGlobal('window', tab)
  vi.stubGlobal('document', document)
  tabs.push(tab)
  const changes: boolean[] = []
  const { isIdle, watch, end } = trackIdleness('ada')
  watch(() => changes.push(isIdle()))
  endings.push(end)
  return {
    isIdle,
    changes,
    end,
    act: (name: string) => {
      SharedStorage.report = (change) => {
        for (const other of tabs.filter((it) => it !== tab)) other.dispatchEvent(storageEvent(change))
      }
      tab.dispatchEvent(new Event(name))
    },
    show: () => {
      document.visibilityState = 'visible'
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}
const storageEvent = (change: Change) => Object.assign(new Event('storage'), change)

test.each([
  ['just now', NOON, NOON, IDLE_MS],
  ['four minutes ago', NOON, NOON + 4 * MINUTE_MS, 6 * MINUTE_MS],
  ['a moment too few', NOON, NOON + IDLE_MS - 1, 1],
  ['exactly long enough', NOON, NOON + IDLE_MS, 0],
  ['before a night of sleep', NOON, NOON + 100 * IDLE_MS, 0],
  ['never', 0, NOON, 0],
  ['in the future', NOON + 100 * IDLE_MS, NOON, IDLE_MS],
])('the last input %s', (_, lastInputAt, now, left) => {
  expect(timeToIdle(lastInputAt, now)).toBe(left)
})

test.each(['visible', 'hidden'])('a %s page is idle after ten minutes without input', (visibilityState) => {
  const { changes, isIdle } = openTab(visibilityState)
  vi.advanceTimersByTime(IDLE_MS - 1)
  expect(isIdle()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(changes).toEqual([true])
})

test.each(['pointerdown', 'pointermove', 'keydown', 'wheel', 'input'])('%s postpones idleness and ends it', (name) => {
  const { act, changes } = openTab()
  vi.advanceTimersByTime(IDLE_MS - 1)
  act(name)
  vi.advanceTimersByTime(IDLE_MS - 1)
  expect(changes).toEqual([])
  vi.advanceTimersByTime(1)
  expect(changes).toEqual([true])
  act(name)
  expect(changes).toEqual([true, false])
})

test('the page scrolling by itself is no input', () => {
  const { act, isIdle } = openTab()
  vi.advanceTimersByTime(IDLE_MS)
  act('scroll')
  expect(isIdle()).toBe(true)
})

test('input in one tab ends the idleness of all tabs at once, and postpones it', () => {
  const [first, second] = [openTab('hidden'), openTab('hidden')]
  vi.advanceTimersByTime(IDLE_MS)
  expect([first.changes, second.changes]).toEqual([[true], [true]])
  first.act('keydown')
  expect([first.changes, second.changes]).toEqual([
    [true, false],
    [true, false],
  ])
  vi.advanceTimersByTime(IDLE_MS / 2)
  second.act('keydown')
  vi.advanceTimersByTime(IDLE_MS - 1)
  expect([first.isIdle(), second.isIdle()]).toEqual([false, false])
})

test('a tab stores the time of its input at most once in ten seconds', () => {
  const { act } = openTab()
  const stored = vi.spyOn(SharedStorage.prototype, 'setItem')
  for (let n = 0; n < 600; n++) {
    vi.advanceTimersByTime(100)
    act('pointermove')
  }
  expect(stored).toHaveBeenCalledTimes(6)
  stored.mockRestore()
})

test('a page that wakes from sleep compares times instead of trusting its timer', () => {
  const { isIdle } = openTab()
  vi.setSystemTime(NOON + 100 * IDLE_MS)
  expect(isIdle()).toBe(true)
})

test('a clock that was set back does not keep anybody active', () => {
  const { isIdle } = openTab()
  vi.setSystemTime(NOON - 100 * IDLE_MS)
  expect(isIdle()).toBe(false)
  vi.advanceTimersByTime(IDLE_MS)
  expect(isIdle()).toBe(true)
})

test('an idle person stays idle in a reloaded page, until a page is shown', () => {
  openTab('hidden').end()
  vi.advanceTimersByTime(IDLE_MS)
  const hidden = openTab('hidden')
  expect(hidden.isIdle()).toBe(true)
  hidden.show()
  expect(hidden.isIdle()).toBe(false)

  vi.advanceTimersByTime(IDLE_MS)
  const navigation = vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as never])
  const age = vi.spyOn(performance, 'now').mockReturnValue(500)
  expect(openTab('visible').isIdle()).toBe(true)
  for (const spy of [navigation, age]) spy.mockRestore()
  expect(openTab('visible').isIdle()).toBe(false)
})
