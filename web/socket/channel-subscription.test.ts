import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSubscriptions, SubscriptionTimeout } from './channel-subscription.ts'
import type { ChatSocket } from './socket-context.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A stub of the library's socket; the test emits events as the server. */
function aSocket() {
  const arriving = new EventEmitter()
  const socket = { on: arriving.on.bind(arriving), emit: () => {} }
  return { arriving, subscriptions: createSubscriptions(socket as unknown as ChatSocket) }
}

test('a request that is not confirmed within five seconds fails; a confirmed one does not', async () => {
  const { arriving, subscriptions } = aSocket()
  const outcomes: string[] = []
  for (const action of ['join', 'leave'] as const)
    subscriptions[action]('silent').catch((error) => {
      expect(error).toBeInstanceOf(SubscriptionTimeout)
      outcomes.push(error.message)
    })
  void subscriptions.join('prompt').then(() => outcomes.push('joined'))
  arriving.emit('channel:joined', { channelId: 'prompt' })
  await vi.advanceTimersByTimeAsync(4999)
  expect(outcomes).toEqual(['joined'])
  await vi.advanceTimersByTimeAsync(1)
  expect(outcomes).toEqual(['joined', 'Channel join timeout', 'Channel leave timeout'])
})

test('a lost connection settles pending requests, because the page joins again after the next one', async () => {
  const { arriving, subscriptions } = aSocket()
  const joining = subscriptions.join('anywhere')
  arriving.emit('disconnect')
  await expect(joining).resolves.toBeUndefined()
})

test('an error settles the oldest request', async () => {
  const { arriving, subscriptions } = aSocket()
  const [first, second] = [subscriptions.join('gone'), subscriptions.join('here')]
  arriving.emit('channel:error', { error: 'Channel not found' })
  arriving.emit('channel:joined', { channelId: 'here' })
  await expect(first).rejects.toThrow('Channel not found')
  await expect(second).resolves.toBeUndefined()
})
