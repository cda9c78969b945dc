import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browser } from '../../../test/model-browser.ts'
import { type ModelChannel, type ModelEvent, modelChannel } from '../../../test/model-channel.ts'

// In a busy channel, a client that fell behind catches up with one fetch and then follows the events.

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ANSWER_MS = 400
const PAUSE_MS = 200

/** A reader with an open window, who receives events at once and responses late. */
async function open(channel: ModelChannel) {
  let fetches = 0
  const countFetch = () => {
    fetches++
    return false
  }
  const reader = browser(channel, countFetch, () => ANSWER_MS)
  reader.open()
  await vi.advanceTimersByTimeAsync(1000)
  fetches = 0

  /** Others send messages for a while. Returns how often the reader fetched, and the revision of its window. */
  async function listen(threadId: string | null = null) {
    for (let i = 0; i < 60; i++) {
      channel.send()
      reader.applyEvent(channel.events.at(-1) as ModelEvent)
      await vi.advanceTimersByTimeAsync(PAUSE_MS)
    }
    const rev = reader.window(threadId)?.rev
    reader.end()
    return { fetches, rev }
  }
  return { reader, listen }
}

test('one fetch catches up after a lost event', async () => {
  const channel = modelChannel()
  channel.send()
  const { listen } = await open(channel)
  channel.send()
  expect(await listen()).toEqual({ fetches: 1, rev: channel.rev })
})

test('one fetch catches up in a thread that is opened', async () => {
  const channel = modelChannel()
  channel.send()
  const parentId = channel.reply(0)?.threadId as string
  const { reader, listen } = await open(channel)
  reader.open(parentId)
  expect(await listen(parentId)).toEqual({ fetches: 1, rev: channel.rev })
})

test('one fetch catches up after scrolling up', async () => {
  const channel = modelChannel()
  for (let i = 0; i < 20; i++) channel.send()
  const { reader, listen } = await open(channel)
  reader.older()
  expect(await listen()).toEqual({ fetches: 1, rev: channel.rev })
})
