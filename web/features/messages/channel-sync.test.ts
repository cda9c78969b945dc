import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Changes } from '#contract/changes'
import type { Message } from '#contract/messages'
import { aMessage } from '../../test/a-message.ts'
import { createChannelSync } from './channel-sync.ts'
import { type MessageWindow, prepend } from './window.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const KEY = ['channel', 'c', 'messages'] as const

/** A channel as the server keeps it: every change takes one revision and makes one event. */
function modelChannel() {
  let seq = 0
  let rev = 0
  const messages: Message[] = []
  const events: { rev: number; message?: Message }[] = []

  function tell(message?: Message) {
    events.push({ rev, ...(message && { message: { ...message } }) })
  }
  return {
    events,
    get rev() {
      return rev
    },
    send() {
      rev++
      seq++
      const message = aMessage(seq, { rev, content: `said at ${rev}` })
      messages.push(message)
      tell(message)
      return { ...message }
    },
    change(at: number) {
      const message = messages[at % Math.max(1, messages.length)]
      if (!message) return
      rev++
      Object.assign(message, { rev, content: `changed at ${rev}` })
      tell(message)
    },
    join() {
      rev++
      tell()
    },
    page(limit: number, before = Number.POSITIVE_INFINITY): { messages: Message[]; rev: number } {
      return {
        messages: messages
          .filter((it) => it.seq < before)
          .slice(-limit)
          .map((it) => ({ ...it })),
        rev,
      }
    },
    changes(after: number, most = 500): Changes {
      const changed = messages.filter((it) => it.rev > after).map((it) => ({ ...it }))
      if (after > rev || changed.length > most) return { rev, reload: true }
      return { rev, messages: changed.sort((a, b) => a.rev - b.rev) }
    },
    all: () => messages.map((it) => ({ ...it })),
  }
}

type Channel = ReturnType<typeof modelChannel>

/** A browser that holds a window of the channel, and a network whose every answer is late. */
function browser(channel: Channel, isDown: () => boolean = () => false, latency = () => 30) {
  const client = new QueryClient()
  const late = <T>(answer: () => T) =>
    new Promise<T>((resolve, reject) => {
      const read = answer()
      setTimeout(() => (isDown() ? reject(new Error('no network')) : resolve(read)), latency())
    })
  const sync = createChannelSync({
    client,
    onChannel: () => {},
    source: {
      changes: (_, after) => late(() => channel.changes(after)),
      sync: (epoch, revs) =>
        late(() => ({
          epoch,
          gone: [],
          channels: revs['c'] === channel.rev ? {} : { c: channel.changes(revs['c'] ?? 0, 100) },
        })),
    },
  })
  const window = () => client.getQueryData<MessageWindow>(KEY)
  const LIMIT = 5
  return {
    client,
    sync,
    window,
    open: () => {
      const { messages, rev } = channel.page(LIMIT)
      const opened = { messages, hasOlder: messages.length === LIMIT, hasNewer: false, known: rev }
      setTimeout(() => client.setQueryData(KEY, (held: MessageWindow | undefined) => held ?? opened), latency())
    },
    older: () => {
      const before = window()?.messages[0]?.seq
      if (before === undefined) return
      const { messages, rev } = channel.page(LIMIT, before)
      setTimeout(() => {
        client.setQueryData<MessageWindow>(KEY, (held) =>
          held?.messages[0]?.seq === before ? prepend(held, messages, messages.length === LIMIT, rev) : held,
        )
      }, latency())
    },
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ do: 'send' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), at: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'join' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'older' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'open' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(150) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'resume' as const }) },
)

test('events late, lost, doubled or in any order, pages in between: after a while the window equals a fresh read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.array(fc.record({ delay: fc.oneof(fc.nat(25), fc.nat(250)), lost: fc.boolean(), twice: fc.boolean() }), {
        minLength: 1,
        maxLength: 20,
      }),
      fc.nat(12),
      fc.array(fc.nat(200), { minLength: 1, maxLength: 10 }),
      async (steps, fates, before, latencies) => {
        const channel = modelChannel()
        for (let i = 0; i < before; i++) channel.send()
        let answers = 0
        const latency = () => latencies[answers++ % latencies.length] ?? 30
        const reader = browser(channel, () => false, latency)
        reader.open()
        let delivered = channel.events.length
        for (const it of steps) {
          if (it.do === 'send') channel.send()
          else if (it.do === 'change') channel.change(it.at)
          else if (it.do === 'join') channel.join()
          else if (it.do === 'older') reader.older()
          else if (it.do === 'open') reader.open()
          else if (it.do === 'resume') reader.sync.resume('epoch')
          else await vi.advanceTimersByTimeAsync(it.ms)
          for (; delivered < channel.events.length; delivered++) {
            const event = channel.events[delivered]
            const fate = fates[delivered % fates.length]
            if (!event || !fate || fate.lost) continue
            const tell = () => reader.sync.told('c', event.rev, event.message)
            setTimeout(tell, fate.delay)
            if (fate.twice) setTimeout(tell, fate.delay + 40)
          }
        }
        // Silence is not safety: the pulse tells in the end how far the channel has come.
        await vi.advanceTimersByTimeAsync(300)
        reader.sync.toldRev('c', channel.rev)
        await vi.advanceTimersByTimeAsync(3000)
        const window = reader.window()
        const first = window?.messages[0]?.seq ?? 1
        expect(window?.known).toBe(channel.rev)
        expect(window?.messages).toEqual(channel.all().filter(({ seq }) => seq >= first))
        reader.sync.end()
      },
    ),
    { numRuns: 2000 },
  )
})

test('my own message shown by its reply does not hide what was said before it', async () => {
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel)
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  channel.send()
  const own = channel.send()
  reader.client.setQueryData<MessageWindow>(KEY, (held) => held && { ...held, messages: [...held.messages, own] })
  expect(reader.window()?.known).toBe(1)
  reader.sync.told('c', own.rev, own)
  await vi.advanceTimersByTimeAsync(500)
  expect(reader.window()?.messages.map(({ seq }) => seq)).toEqual([1, 2, 3])
})

test('an older page that comes while changes are on their way is not left behind', async () => {
  const channel = modelChannel()
  for (let i = 0; i < 8; i++) channel.send()
  const latencies = [10, 250, 200]
  const reader = browser(
    channel,
    () => false,
    () => latencies.shift() ?? 30,
  )
  reader.open()
  await vi.advanceTimersByTimeAsync(20)
  reader.older()
  channel.change(0)
  reader.sync.told('c', 9, channel.events.at(-1)?.message)
  channel.send()
  const heard = channel.send()
  reader.sync.told('c', heard.rev, heard)
  await vi.advanceTimersByTimeAsync(3000)
  expect(reader.window()?.messages).toEqual(channel.all())
})

test('a server that fell behind what it told is another database', async () => {
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel)
  const reset = vi.spyOn(reader.client, 'resetQueries')
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  reader.sync.toldRev('c', 60)
  await vi.advanceTimersByTimeAsync(500)
  expect(reset).toHaveBeenCalledOnce()
})

test('without a network it asks again until there is an answer', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let down = true
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel, () => down)
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  channel.send()
  reader.sync.toldRev('c', 2)
  await vi.advanceTimersByTimeAsync(5000)
  expect(reader.window()?.known).toBe(1)
  down = false
  await vi.advanceTimersByTimeAsync(5000)
  expect(reader.window()?.messages).toEqual(channel.all())
})

test('another or an older database, and a long absence, drop what is held', async () => {
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

  // The same epoch, but the server is behind what was seen: a restored backup.
  reader.client.setQueryData<MessageWindow>(KEY, {
    messages: channel.all(),
    hasOlder: false,
    hasNewer: false,
    known: 99,
  })
  reader.sync.resume('another')
  await vi.advanceTimersByTimeAsync(5000)
  expect(reset).toHaveBeenCalledTimes(2)

  reader.client.setQueryData<MessageWindow>(KEY, {
    messages: channel.all(),
    hasOlder: false,
    hasNewer: false,
    known: 3,
  })
  for (let i = 0; i < 150; i++) channel.send()
  reader.sync.resume('another')
  await vi.advanceTimersByTimeAsync(5000)
  expect(reset).toHaveBeenCalledTimes(3)
})
