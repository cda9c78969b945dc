import { QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tries } from '#contract/test/properties'
import { type ModelChannel, type ModelEvent, modelChannel } from '../../../test/model-channel.ts'
import { createAuthorRenames } from './author-renames.ts'
import { createChannelSync } from './channel-sync.ts'
import { insertSent, isWindow, messagesIn } from './message-queries.ts'
import { type MessageWindow, prepend } from './message-window.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const KEY = messagesIn('c').queryKey

/** A browser with windows of the channel, and a network that delays every response. */
function browser(channel: ModelChannel, isDown: () => boolean = () => false, latency = () => 30) {
  const client = new QueryClient()
  const late = <T>(answer: () => T) =>
    new Promise<T>((resolve, reject) => {
      const read = answer()
      setTimeout(() => (isDown() ? reject(new Error('no network')) : resolve(read)), latency())
    })
  const sync = createChannelSync({
    client,
    onGone: () => {},
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
  const names = createAuthorRenames(client)
  const window = (threadId: string | null = null) => client.getQueryData(messagesIn('c', threadId).queryKey)
  return {
    client,
    sync,
    names,
    window,
    windows: () => client.getQueriesData<MessageWindow>({ predicate: isWindow }),
    applyEvent: (event: ModelEvent) => ('update' in event ? sync.receive(event.update) : names.rename(event.renamed)),
    open: (threadId: string | null = null) => {
      const opened = channel.page(threadId)
      setTimeout(
        () => client.setQueryData(messagesIn('c', threadId).queryKey, (current) => current ?? opened),
        latency(),
      )
    },
    older: (threadId: string | null = null) => {
      const before = window(threadId)?.messages[0]?.seq
      if (before === undefined) return
      const page = channel.page(threadId, before)
      const withMessages = (current: MessageWindow | undefined) =>
        current?.messages[0]?.seq === before ? prepend(current, page) : current
      setTimeout(() => client.setQueryData(messagesIn('c', threadId).queryKey, withMessages), latency())
    },
    end: () => {
      sync.end()
      names.end()
    },
  }
}

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
        if (fates.some(({ lost }) => lost)) reader.sync.receiveRev('c', channel.rev)
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
    tries(2000),
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

test('an older page that arrives during a fetch of changes does not stay outdated', async () => {
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

test('a server whose revision is lower than one it published has another database', async () => {
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel)
  const reset = vi.spyOn(reader.client, 'resetQueries')
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  reader.sync.receiveRev('c', 60)
  await vi.advanceTimersByTimeAsync(500)
  expect(reset).toHaveBeenCalledOnce()
})

test('without a network it retries until there is a response', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let down = true
  const channel = modelChannel()
  channel.send()
  const reader = browser(channel, () => down)
  reader.open()
  await vi.advanceTimersByTimeAsync(50)
  channel.send()
  reader.sync.receiveRev('c', 2)
  await vi.advanceTimersByTimeAsync(5000)
  expect(reader.window()?.rev).toBe(1)
  down = false
  // Meanwhile the delay between attempts has grown to 30 s at most.
  await vi.advanceTimersByTimeAsync(40_000)
  expect(reader.window()?.messages).toEqual(channel.all())
})

test('another or an older database, and a long absence, drop the windows', async () => {
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

test('a server that cannot answer is retried at growing delays', async () => {
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
  reader.sync.receiveRev('c', channel.rev)
  await vi.advanceTimersByTimeAsync(180_000)
  expect(tries).toBeLessThan(20)
  isDown = false
  await vi.advanceTimersByTimeAsync(30_000)
  expect(reader.window()?.messages).toEqual(channel.all())
  reader.end()
})
