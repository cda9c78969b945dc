import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { longTest } from '../test/support/long.ts'
import { openWriterFixture, settle, startFreezableProxy, upTo } from '../test/support/writer-fixture.ts'

// Fairness: a channel whose queue is never empty must not delay the others.

let ledger: Awaited<ReturnType<typeof openWriterFixture>>
let node: ReturnType<typeof ledger.openWriter>
let people: string[]

beforeAll(async () => {
  ledger = await openWriterFixture()
  node = ledger.openWriter()
  people = await ledger.addPeople('ada')
})

/** Repeats an action in several loops until stopped, and counts the runs. */
function always(act: () => Promise<unknown>, atOnce: number) {
  let going = true
  let count = 0
  const loop = async () => {
    for (; going; count++) await act()
  }
  const loops = upTo(atOnce).map(loop)
  return {
    count: () => count,
    stop: () => {
      going = false
      return Promise.all(loops)
    },
  }
}

test('six channels with endless changes do not starve the others', async () => {
  const [ninth, ...hot] = (await ledger.addChannels(7, people)) as [string, ...string[]]
  const busy = hot.map((id) => always(() => node.rewrite(id, 1, 'x'), 5))
  const all = () => busy.reduce((sum, { count }) => sum + count(), 0)
  await expect.poll(all).toBeGreaterThan(20)
  const before = all()
  let after: number | undefined
  const change = node.rewrite(ninth, 1, 'x').then(() => {
    after = all() - before
  })
  await expect.poll(() => after !== undefined || all() - before > 300, { interval: 1 }).toBe(true)
  await Promise.all(busy.map(({ stop }) => stop()))
  await change
  expect(after).toBeLessThan(300)
})

/**
 * Five groups of 1000 precede it: one of each channel, and those already running. More may finish while its own is being stored;
 * a starved channel would never get its turn.
 */
const STARVED = 30_000

longTest('three channels with more sends than one batch do not starve the others', async () => {
  const [fourth, ...hot] = (await ledger.addChannels(4, people)) as [string, ...string[]]
  const send = (channelId: string) =>
    node.writer.send({ channelId, userId: people[0] as string, content: 'x', clientId: null })
  const busy = hot.map((id) => always(() => send(id), 2500))
  const all = () => busy.reduce((sum, { count }) => sum + count(), 0)
  await expect.poll(all).toBeGreaterThan(1000)
  const before = all()
  let after: number | undefined
  const sent = send(fourth).then(() => {
    after = all() - before
  })
  await expect.poll(() => after !== undefined || all() - before > STARVED, { interval: 1 }).toBe(true)
  await Promise.all(busy.map(({ stop }) => stop()))
  await sent
  expect(after).toBeLessThan(STARVED)
})

test('a message does not wait for running groups of locked channels', async () => {
  const [first, second, free] = (await ledger.addChannels(3, people)) as [string, string, string]
  const { release } = await ledger.hold(first, second)
  const { address, pause, resume } = await startFreezableProxy(ledger.url)
  const { writer } = ledger.openWriter(address)
  pause()
  const send = async (channelId: string) => {
    const result = settle([writer.send({ channelId, userId: people[0] as string, content: 'x', clientId: null })])
    // Its group starts before the next message is sent.
    await turn()
    await turn()
    return { settled: result.then(() => channelId) }
  }
  const sends = [await send(first), await send(second), await send(free)]
  resume()
  expect(await Promise.race(sends.map(({ settled }) => settled))).toBe(free)
  await release()
  await Promise.all(sends.map(({ settled }) => settled))
})
