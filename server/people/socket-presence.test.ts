import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { combine, type PresenceState, trackSockets } from './socket-presence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function track() {
  const changes: PresenceState[] = []
  const sockets = trackSockets((userId) => changes.push(sockets.stateOf(userId)))
  return { ...sockets, changes, state: () => sockets.stateOf('ada') }
}

test.each([
  ['offline', 'offline', 'offline'],
  ['offline', 'idle', 'idle'],
  ['idle', 'offline', 'idle'],
  ['idle', 'idle', 'idle'],
  ['idle', 'online', 'online'],
  ['online', 'idle', 'online'],
  ['online', 'offline', 'online'],
] as const)('%s in one place and %s in another is %s', (one, other, both) => {
  expect(combine(one, other)).toBe(both)
})

test('a person is idle while all of their sockets are', () => {
  const { add, setIdle, remove, changes } = track()
  add('ada', 'phone', false)
  add('ada', 'laptop', false)
  setIdle('ada', 'phone', true)
  expect(changes).toEqual(['online'])
  setIdle('ada', 'laptop', true)
  setIdle('ada', 'laptop', false)
  setIdle('ada', 'laptop', false)
  expect(changes).toEqual(['online', 'idle', 'online'])
  remove('ada', 'laptop', 'now')
  remove('ada', 'phone', 'now')
  expect(changes).toEqual(['online', 'idle', 'online', 'idle', 'offline'])
})

test('a removed socket that reports afterwards changes nothing', () => {
  const { add, setIdle, remove, state } = track()
  add('ada', 'phone', false)
  remove('ada', 'phone', 'now')
  setIdle('ada', 'phone', true)
  expect(state()).toBe('offline')
})

test.each([true, false])('a page that reloads keeps its state (idle: %s)', (isIdle) => {
  const { add, remove, changes } = track()
  add('ada', 'before', isIdle)
  remove('ada', 'before')
  vi.advanceTimersByTime(4000)
  add('ada', 'after', isIdle)
  vi.advanceTimersByTime(60_000)
  expect(changes).toHaveLength(1)
})

test('an active page that reloads beside an idle one keeps its person active for five seconds', () => {
  const { add, remove, changes, state } = track()
  add('ada', 'phone', true)
  add('ada', 'laptop', false)
  remove('ada', 'laptop')
  remove('ada', 'phone')
  add('ada', 'phone again', true)
  expect(state()).toBe('online')
  add('ada', 'laptop again', false)
  expect(changes).toEqual(['idle', 'online'])
  remove('ada', 'laptop again')
  vi.advanceTimersByTime(5000)
  expect(changes).toEqual(['idle', 'online', 'idle'])
})

test('the last socket has a grace period of its own, and none if its person signs out', () => {
  const { add, remove, changes } = track()
  add('ada', 'phone', true)
  add('ada', 'laptop', false)
  remove('ada', 'laptop')
  vi.advanceTimersByTime(4000)
  remove('ada', 'phone')
  vi.advanceTimersByTime(4000)
  expect(changes).toEqual(['idle', 'online'])
  vi.advanceTimersByTime(1000)
  expect(changes).toEqual(['idle', 'online', 'offline'])

  add('ada', 'phone', true)
  add('ada', 'laptop', false)
  remove('ada', 'laptop')
  remove('ada', 'phone', 'now')
  expect(changes.at(-1)).toBe('offline')
})
