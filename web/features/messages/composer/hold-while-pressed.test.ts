import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdWhilePressed } from './hold-while-pressed.ts'

/** A stub of the document, with the focus and pointer events. */
const page = Object.assign(new EventTarget(), { activeElement: undefined as unknown })
const press = () => page.dispatchEvent(new Event('pointerdown'))
const letGo = () => page.dispatchEvent(new Event('pointerup'))

/** A composer that has the focus until something else is pressed. */
function composer() {
  const attributes = new Set<string>()
  const card = {
    setAttribute: (name: string) => attributes.add(name),
    removeAttribute: (name: string) => attributes.delete(name),
  }
  page.activeElement = { closest: (selector: string) => (selector === '.composer-card' ? card : null) }
  return { isHeld: () => attributes.has('data-held') }
}
const leave = () => {
  page.activeElement = { closest: () => null }
}

let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  stop = holdWhilePressed()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('the composer keeps its height during a press beside it, until the click arrives', async () => {
  const { isHeld } = composer()
  press()
  leave()
  await vi.advanceTimersByTimeAsync(5000)
  expect(isHeld()).toBe(true)
  letGo()
  await vi.advanceTimersByTimeAsync(200)
  expect(isHeld()).toBe(true)
  await vi.advanceTimersByTimeAsync(200)
  expect(isHeld()).toBe(false)
})

test('the composer keeps its height for a second press soon after the first', async () => {
  const { isHeld } = composer()
  press()
  leave()
  letGo()
  await vi.advanceTimersByTimeAsync(100)
  press()
  await vi.advanceTimersByTimeAsync(5000)
  expect(isHeld()).toBe(true)
  letGo()
  await vi.advanceTimersByTimeAsync(400)
  expect(isHeld()).toBe(false)
})

test('a press holds nothing if the focus is elsewhere, and ends when it becomes scrolling', async () => {
  const { isHeld } = composer()
  leave()
  press()
  expect(isHeld()).toBe(false)
  const other = composer()
  press()
  expect(other.isHeld()).toBe(true)
  page.dispatchEvent(new Event('pointercancel'))
  await vi.advanceTimersByTimeAsync(400)
  expect(other.isHeld()).toBe(false)
})
