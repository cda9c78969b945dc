import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { openWriterFixture, settle, upTo } from '../test/support/writer-fixture.ts'

// Two nodes write to the same channels. Each regularly finds channels locked by the other's groups, which is not an error.

const CHANNELS = 50
const SENDERS = 64
const SENDS_EACH = 25

let ledger: Awaited<ReturnType<typeof openWriterFixture>>
let people: string[]

beforeAll(async () => {
  ledger = await openWriterFixture()
  people = await ledger.addPeople(...upTo(SENDERS).map((n) => `sender${n}`))
})

const refusals = (results: unknown[]) => results.filter((result) => typeof result === 'number').length

test('two nodes writing to the same channels reject nothing and keep each author’s order', async () => {
  const nodes = [ledger.openWriter(), ledger.openWriter()] as const
  const channels = await ledger.addChannels(CHANNELS, people)
  const results = await Promise.all(
    people.map(async (userId, sender) => {
      const { writer } = nodes[sender % 2] as (typeof nodes)[0]
      const sends = upTo(SENDS_EACH).map((n) => {
        // Two in a row to the same channel, so that the second waits behind the first.
        const channelId = channels[(sender * 7 + (n >> 1) * 3) % CHANNELS] as string
        return { channelId, userId, content: `${n}`, clientId: `${sender} ${n}` }
      })
      const outcomes: unknown[] = []
      for (let i = 0; i < sends.length; i += 5) {
        outcomes.push(...(await settle(sends.slice(i, i + 5).map((send) => writer.send(send)))))
        await sleep(sender % 3)
      }
      return outcomes
    }),
  )
  expect(refusals(results.flat())).toBe(0)

  const rows = await ledger.stored(channels)
  expect(rows).toHaveLength(SENDERS * SENDS_EACH)
  for (const channelId of channels) {
    const here = rows.filter((row) => row.channelId === channelId)
    expect(here.map(({ seq }) => seq)).toEqual(upTo(here.length))
    for (const author of new Set(here.map(({ userId }) => userId))) {
      const numbers = here.filter(({ userId }) => userId === author).map(({ content }) => Number(content))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
    const published = nodes.map((node) => node.published.filter((event) => event.channelId === channelId))
    for (const events of published) expect(events).toEqual(events.toSorted((a, b) => a.rev - b.rev))
    expect(
      published
        .flat()
        .map(({ rev }) => rev)
        .sort((a, b) => a - b),
    ).toEqual(upTo(here.length))
  }
})

test('sends to many channels that another node locks briefly are stored, not rejected', async () => {
  const { writer } = ledger.openWriter()
  const channels = await ledger.addChannels(CHANNELS, people)
  const [free] = (await ledger.addChannels(1, people)) as [string]
  const { release } = await ledger.hold(...channels)
  const send = (channelId: string, n: number) =>
    writer.send({ channelId, userId: people[0] as string, content: `${n}`, clientId: `${channelId} ${n}` })
  const sends = settle(channels.flatMap((channelId) => upTo(3).map((n) => send(channelId, n))))
  // Long enough for their group and the next one to find the locks.
  for (const n of upTo(4)) await send(free, n)
  await release()
  expect(refusals(await sends)).toBe(0)
  const rows = await ledger.stored(channels)
  expect(rows.map(({ seq, content }) => [seq, content])).toEqual(
    channels.flatMap(() => upTo(3).map((n) => [n, `${n}`])),
  )
})

test('channels locked for long do not delay two nodes writing to other channels', async () => {
  const nodes = [ledger.openWriter(), ledger.openWriter()]
  const locked = await ledger.addChannels(8, people)
  const shared = await ledger.addChannels(8, people)
  const { release } = await ledger.hold(...locked)
  let isOver = false
  const send = (node: (typeof nodes)[0], channelId: string, clientId: string) =>
    node.writer.send({ channelId, userId: people[0] as string, content: 'x', clientId })
  const stuck = nodes.map(async (node, i) => {
    for (let n = 0; !isOver; n++)
      await settle(locked.flatMap((id) => upTo(50).map((m) => send(node, id, `${id} ${i} ${n} ${m}`))))
  })
  const sends = nodes.map(async (node, i) => {
    const results: unknown[] = []
    for (let n = 0; n < 20; n++) results.push(...(await settle(shared.map((id) => send(node, id, `${id} ${i} ${n}`)))))
    return results
  })
  const results = (await Promise.all(sends)).flat()
  isOver = true
  // Nothing was stored there, because the locks are still held.
  expect(await ledger.stored(locked)).toEqual([])
  await release()
  await Promise.all(stuck)
  expect(refusals(results)).toBe(0)
  expect(await ledger.stored(shared)).toHaveLength(2 * 20 * shared.length)
})

test('a node that never stops sending to a channel does not starve another node', async () => {
  const [busy, quiet] = [ledger.openWriter(), ledger.openWriter()]
  const [channelId] = (await ledger.addChannels(1, people)) as [string]
  let isOver = false
  const send = ({ writer }: typeof busy, userId: string) =>
    writer.send({ channelId, userId, content: 'x', clientId: null })
  const endless = people.slice(1).map(async (userId) => {
    const results: unknown[] = []
    while (!isOver) results.push(...(await settle([send(busy, userId)])))
    return results
  })
  const results: unknown[] = []
  for (let n = 0; n < 20; n++) results.push(...(await settle([send(quiet, people[0] as string)])))
  isOver = true
  expect(refusals([...results, ...(await Promise.all(endless)).flat()])).toBe(0)
})
