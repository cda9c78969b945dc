import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { slowTries } from '#contract/test/properties'
import { browser } from '../../../test/model-browser.ts'
import { type ModelChannel, type ModelEvent, modelChannel } from '../../../test/model-channel.ts'
import { insertSent, messagesIn } from './message-queries.ts'
import type { MessageWindow } from './message-window.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const KEY = messagesIn('c').queryKey

type Reader = ReturnType<typeof browser>
interface Step {
  do: keyof typeof acts
  at: number
  by: number
}

/** Everything that may happen in the channel and in the browser. */
const acts = {
  send: (channel: ModelChannel, _: Reader, { by }: Step) => void channel.send(by),
  sendOwn: (channel: ModelChannel, { client }: Reader, { at, by }: Step) => {
    const sent = at % 2 ? channel.reply(at, by) : channel.send(by)
    if (sent) setTimeout(() => insertSent(client, sent), at * 5)
  },
  reply: (channel: ModelChannel, _: Reader, { at, by }: Step) => void channel.reply(at, by),
  change: (channel: ModelChannel, _: Reader, { at }: Step) => channel.change(at),
  remove: (channel: ModelChannel, _: Reader, { at }: Step) => channel.remove(at),
  react: (channel: ModelChannel, _: Reader, { at, by }: Step) => channel.react(at, by, by % 2 ? '👍' : '🎉'),
  join: (channel: ModelChannel) => channel.join(),
  rename: (channel: ModelChannel, _: Reader, { by }: Step) => channel.rename(by),
  open: (_: ModelChannel, reader: Reader) => reader.open(),
  openThread: (channel: ModelChannel, reader: Reader, { at }: Step) => reader.open(channel.parentAt(at)),
  older: (_: ModelChannel, reader: Reader) => reader.older(),
  olderReplies: (channel: ModelChannel, reader: Reader, { at }: Step) => reader.older(channel.parentAt(at)),
  wait: (_: ModelChannel, __: Reader, { at }: Step) => vi.advanceTimersByTimeAsync(at * 4),
  resume: (_: ModelChannel, reader: Reader) => reader.sync.resume('epoch'),
}
const common: (keyof typeof acts)[] = [
  'send',
  'send',
  'reply',
  'reply',
  'change',
  'react',
  'wait',
  'older',
  'openThread',
]
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[]), ...common),
  at: fc.nat(40),
  by: fc.nat(5),
})

test('after late, lost, repeated and reordered events, with pages in between, every window ends up equal to a fresh fetch', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60, size: 'max' }),
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
        for (const step of steps) {
          await acts[step.do](channel, reader, step)
          for (; delivered < channel.events.length; delivered++) {
            const event = channel.events[delivered]
            const fate = fates[delivered % fates.length]
            // A missed rename is noticed at the next connection, by the version.
            if (!event || !fate || (fate.lost && 'told' in event)) continue
            const deliver = () => reader.applyEvent(event)
            setTimeout(deliver, fate.delay)
            if (fate.twice) setTimeout(deliver, fate.delay + 40)
          }
        }
        await vi.advanceTimersByTimeAsync(300)
        // Lost events are followed by the heartbeat, which publishes the channel's revision.
        if (fates.some(({ lost }) => lost)) reader.sync.announce({ channelId: 'c', rev: channel.rev })
        await vi.advanceTimersByTimeAsync(3000)
        for (const [[, , , threadId], window] of reader.windows()) {
          const { parent, messages, rev } = window as MessageWindow
          const first = messages[0]?.seq ?? 1
          expect(rev).toBe(channel.rev)
          expect(messages).toEqual(channel.all(threadId as string | null).filter(({ seq }) => seq >= first))
          expect(parent).toEqual(threadId ? channel.message(threadId as string) : undefined)
        }
        reader.end()
      },
    ),
    slowTries(2000),
  )
})

test('inserting my own message from the response does not hide earlier messages', async () => {
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel)
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  channel.send()
  const own = channel.send()
  insertSent(reader.client, own)
  expect(reader.window()?.rev).toBe(1)
  reader.applyEvent(channel.events.at(-1) as ModelEvent)
  await vi.advanceTimersByTimeAsync(500)
  expect(reader.window()?.messages.map(({ seq }) => seq)).toEqual([1, 2, 3])
})

test('an event that arrives while missed ones are fetched is applied after their response', async () => {
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel)
  const applyLast = () => reader.applyEvent(channel.events.at(-1) as ModelEvent)
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  channel.send()
  channel.send()
  applyLast()
  // The fetch begins after 100 ms, and takes 30.
  await vi.advanceTimersByTimeAsync(110)
  channel.send()
  applyLast()
  await vi.advanceTimersByTimeAsync(25)
  expect(reader.window()?.messages).toEqual(channel.all())
})

test('a window that cannot catch up does not hold up the others', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const channel = modelChannel()
  const parent = channel.send()
  channel.reply(0, 1)
  const reader = browser(channel, () => true)
  reader.client.setQueryData(messagesIn('c', parent.id).queryKey, channel.page(parent.id))
  channel.send()
  reader.client.setQueryData(KEY, channel.page(null))
  channel.send()
  reader.applyEvent(channel.events.at(-1) as ModelEvent)
  expect(reader.window()?.messages).toEqual(channel.all())
  reader.end()
})

test('an older page that arrives during a fetch of changes does not stay stale', async () => {
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
  reader.applyEvent(channel.events.at(-1) as ModelEvent)
  channel.send()
  channel.send()
  reader.applyEvent(channel.events.at(-1) as ModelEvent)
  await vi.advanceTimersByTimeAsync(3000)
  expect(reader.window()?.messages).toEqual(channel.all())
})

test('renames during an absence refetch the windows', async () => {
  const reader = browser(modelChannel())
  const reset = vi.spyOn(reader.client, 'invalidateQueries')
  reader.names.resume(1)
  reader.applyEvent({ renamed: { id: 'ada', username: 'ada', name: 'Countess', peopleVersion: 2 } })
  reader.names.resume(2)
  expect(reset).not.toHaveBeenCalled()
  reader.names.resume(3)
  await vi.advanceTimersByTimeAsync(0)
  expect(reset).toHaveBeenCalledOnce()
})
