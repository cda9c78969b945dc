import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SharedStorage } from '../test/shared-storage.ts'
import { keepConnected } from './connection.ts'
import { IDLE_MS, trackIdleness } from './idle.ts'
import type { ChatSocket } from './socket-context.ts'

let document: EventTarget & { visibilityState: string }
let window: EventTarget
beforeEach(() => {
  vi.useFakeTimers()
  document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  window = new EventTarget()
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', window)
  vi.stubGlobal('localStorage', new SharedStorage())
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A stub of the library's socket: the test triggers its events and reads its calls. */
function aSocket() {
  const [heard, heardByLibrary] = [new EventEmitter(), new EventEmitter()]
  const sent: unknown[][] = []
  let attempts = 0
  const socket = {
    disconnected: true,
    active: true,
    io: {
      opts: {},
      reconnectionDelay: () => {},
      on: heardByLibrary.on.bind(heardByLibrary),
      off: () => heardByLibrary.removeAllListeners(),
    },
    on: heard.on.bind(heard),
    off: () => heard.removeAllListeners(),
    emit: (...packet: unknown[]) => void sent.push(packet),
    connect: () => void attempts++,
    disconnect: () => socket,
  }
  const idleness = trackIdleness('ada')
  const disconnect = keepConnected(socket as unknown as ChatSocket, idleness)
  return {
    end: () => {
      disconnect()
      idleness.end()
    },
    sent,
    attempts: () => attempts,
    connected() {
      socket.disconnected = false
      heard.emit('connect')
    },
    givenUp: () => heardByLibrary.emit('reconnect_failed'),
    lost() {
      socket.disconnected = true
      heard.emit('disconnect', 'transport close')
    },
  }
}

const show = () => {
  document.visibilityState = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('focus'))
}

test('each connection publishes that its user is online', () => {
  const { sent, connected, lost, end } = aSocket()
  connected()
  expect(sent).toEqual([['status:update', 'online']])
  lost()
  connected()
  expect(sent).toHaveLength(2)
  end()
})

test('a page reports when its user becomes idle and returns, and again after each connection', () => {
  const { sent, connected, lost, end } = aSocket()
  const reports = () => sent.splice(0).map(([, status]) => status)
  connected()
  vi.advanceTimersByTime(IDLE_MS)
  expect(reports()).toEqual(['online', 'idle'])
  lost()
  connected()
  expect(reports()).toEqual(['idle'])
  lost()
  window.dispatchEvent(new Event('keydown'))
  expect(reports()).toEqual([])
  connected()
  expect(reports()).toEqual(['online'])
  vi.advanceTimersByTime(IDLE_MS)
  window.dispatchEvent(new Event('keydown'))
  expect(reports()).toEqual(['idle', 'online'])
  end()
})

test('a tab that is shown again connects only once', async () => {
  const { attempts, connected, lost, end } = aSocket()
  connected()
  document.visibilityState = 'hidden'
  lost()
  const before = attempts()
  show()
  await vi.advanceTimersByTimeAsync(500)
  expect(attempts()).toBe(before + 1)
  end()
})

test('a visible page connects at once when the network is back, and a hidden one within seconds', async () => {
  const { attempts, connected, lost, end } = aSocket()
  connected()
  lost()
  window.dispatchEvent(new Event('online'))
  expect(attempts()).toBe(2)
  document.visibilityState = 'hidden'
  lost()
  window.dispatchEvent(new Event('online'))
  expect(attempts()).toBe(2)
  await vi.advanceTimersByTimeAsync(8000)
  expect(attempts()).toBe(3)
  end()
})

test('the page keeps retrying after the library has given up', async () => {
  const { givenUp, attempts, end } = aSocket()
  givenUp()
  await vi.advanceTimersByTimeAsync(45_000)
  expect(attempts()).toBe(2)
  end()
  givenUp()
  await vi.advanceTimersByTimeAsync(45_000)
  expect(attempts()).toBe(2)
})
