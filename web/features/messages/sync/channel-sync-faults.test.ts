import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browser } from '../../../test/model-browser.ts'
import { modelChannel } from '../../../test/model-channel.ts'
import { messagesIn } from './message-queries.ts'
import type { MessageWindow } from './message-window.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const KEY = messagesIn('c').queryKey

test('a revision lower than a published one means another database', async () => {
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel)
  const reset = vi.spyOn(reader.client, 'resetQueries')
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  reader.sync.announce({ channelId: 'c', rev: 60 })
  await vi.advanceTimersByTimeAsync(500)
  expect(reset).toHaveBeenCalledOnce()
})

test('fetches are retried without a network until there is a response', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let down = true
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel, () => down)
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  channel.send()
  reader.sync.announce({ channelId: 'c', rev: 2 })
  await vi.advanceTimersByTimeAsync(5000)
  expect(reader.window()?.rev).toBe(1)
  down = false
  // Meanwhile the delay between attempts has grown to 30 s at most.
  await vi.advanceTimersByTimeAsync(40_000)
  expect(reader.window()?.messages).toEqual(channel.all())
})

test('another or an older database, or a long absence, resets the windows', async () => {
  const channel = modelChannel()
  for (let i = 0; i < 3; i++) channel.send()
  const reader = browser(channel)
  const reset = vi.spyOn(reader.client, 'resetQueries')
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  reader.sync.resume('one')
  await vi.advanceTimersByTimeAsync(5000)
  expect(reset).not.toHaveBeenCalled()

  reader.sync.resume('another')
  expect(reset).toHaveBeenCalledOnce()

  // The same epoch, but an older revision than seen before: a restored backup.
  reader.client.setQueryData<MessageWindow>(KEY, {
    messages: channel.all(),
    hasOlder: false,
    hasNewer: false,
    rev: 99,
  })
  reader.sync.resume('another')
  await vi.advanceTimersByTimeAsync(5000)
  expect(reset).toHaveBeenCalledTimes(2)

  reader.client.setQueryData<MessageWindow>(KEY, {
    messages: channel.all(),
    hasOlder: false,
    hasNewer: false,
    rev: 3,
  })
  for (let i = 0; i < 150; i++) channel.send()
  reader.sync.resume('another')
  await vi.advanceTimersByTimeAsync(5000)
  expect(reset).toHaveBeenCalledTimes(3)
})

test('requests to a failing server are retried at growing delays', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const channel = modelChannel()
  let isDown = false
  let tries = 0
  const reader = browser(channel, () => {
    tries++
    return isDown
  })
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  isDown = true
  channel.send()
  reader.sync.announce({ channelId: 'c', rev: channel.rev })
  await vi.advanceTimersByTimeAsync(180_000)
  expect(tries).toBeLessThan(20)
  isDown = false
  await vi.advanceTimersByTimeAsync(30_000)
  expect(reader.window()?.messages).toEqual(channel.all())
  reader.end()
})
