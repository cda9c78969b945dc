import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { openWriterFixture, settle, upTo } from '../test/support/writer-fixture.ts'

// Two nodes write to the same channels: each finds them locked by the other's groups, although nothing is wrong.

const CHANNELS = 50
const SENDERS = 64
const SENDS_EACH = 25

let ledger: Awaited<ReturnType<typeof openWriterFixture>>
let people: string[]

beforeAll(async () => {
  ledger = await openWriterFixture()
  people = await ledger.addPeople(...upTo(SENDERS).map((n) => `sender${n}`))
})

test('two nodes that write to the same channels refuse nothing and keep the order of each author', async () => {
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
  expect(results.flat().filter((result) => typeof result === 'number')).toEqual([])

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

test('sends to many channels that another node locks for a moment are stored, not refused', async () => {
  const { writer } = ledger.openWriter()
  const channels = await ledger.addChannels(CHANNELS, people)
  const [free] = (await ledger.addChannels(1, people)) as [string]
  const { release } = await ledger.hold(...channels)
  const send = (channelId: string, n: number) =>
    writer.send({ channelId, userId: people[0] as string, content: `${n}`, clientId: `${channelId} ${n}` })
  const sends = settle(channels.flatMap((channelId) => upTo(3).map((n) => send(channelId, n))))
  // Their group, and the next one, have found the locks.
  for (const n of upTo(4)) await send(free, n)
  await release()
  expect((await sends).filter((result) => typeof result === 'number')).toEqual([])
  const rows = await ledger.stored(channels)
  expect(rows.map(({ seq, content }) => [seq, content])).toEqual(
    channels.flatMap(() => upTo(3).map((n) => [n, `${n}`])),
  )
})
