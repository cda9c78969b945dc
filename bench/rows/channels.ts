import { limits } from '#contract/limits'
import { openConnection, requestText } from '../load/http-connection.ts'
import type { Reads } from '../load/jobs.ts'
import { createOutcomeCounter } from '../load/outcome-counter.ts'
import { compare, comparisonRow, meter } from '../report/measure.ts'
import type { Row } from '../report/row.ts'
import type { Fixture } from '../setup/fixture.ts'
import { answerTo, type Reading, replayAnswer } from '../setup/replayed-answers.ts'
import { createFilledChannel, type SignedUpUser } from '../setup/sign-up-people.ts'

const CHANNELS = 2000
const READERS = 8
/** The minimum number of complete lists to read. */
const MIN_SAMPLES = 5

/** The browser's requests on start and reconnect, for a user in very many channels. */
export async function* measureChannels(fixture: Fixture): AsyncGenerator<Row> {
  const { bench, pace, people } = fixture
  const { parley: port, database } = bench
  const reader = people[0] as SignedUpUser
  await makeChannels(fixture)

  yield await wholeList(fixture, reader)

  const calls = { kind: 'calls' as const, port, connections: READERS, tokens: [reader.token] }
  const row = async (name: string, reads: Pick<Reads, 'paths' | 'body'>) => {
    const unchecked: Reading = { ...calls, load: { kind: 'reads', ...reads, expects: { bytes: 0 } } }
    const bytes = Buffer.byteLength(await answerTo(port, unchecked))
    const ours: Reading = { ...unchecked, load: { ...unchecked.load, expects: { bytes } } }
    const echoed = await replayAnswer(bench, ours)
    const found = await compare(bench, pace, () => ours, { 'bare Fastify': () => echoed })
    return comparisonRow(name, found)
  }
  const { max } = limits.page
  yield await row(`${max} of ${thousands(CHANNELS)} channels`, { paths: [`/api/channels?page=1&limit=${max}`] })

  const { rows } = await database.pool.query<{ id: string; rev: number; epoch: string }>(
    'select channels.id, rev, epoch from channels, workspace where name like $1 order by 1 limit $2',
    ['list-%', limits.syncedChannels],
  )
  const revs = Object.fromEntries(rows.map(({ id, rev }) => [id, rev]))
  const body = JSON.stringify({ epoch: rows[0]?.epoch, revs })
  yield await row(`coming back to ${limits.syncedChannels} channels, none of which moved`, {
    paths: ['/api/sync'],
    body,
  })
}

/** Reads the pages one after the other, like a browser. */
async function wholeList({ bench, pace }: Fixture, { token }: SignedUpUser): Promise<Row> {
  const connection = await openConnection(bench.parley)
  const counter = createOutcomeCounter()
  const cpu = meter(bench)
  await cpu.over(async () => {
    const until = performance.now() + pace.seconds * 1000
    for (let n = 0; performance.now() < until || n < MIN_SAMPLES; n++) {
      const at = performance.now()
      const all = new Set<string>()
      for (let page = 1, hasMore = true; hasMore; page++) {
        const path = `/api/channels?page=${page}&limit=${limits.page.max}`
        const { status, body } = await connection.ask(requestText('GET', path, { authorization: `Bearer ${token}` }))
        if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
        const answer = JSON.parse(body.toString()) as { channels: { id: string }[]; pagination: { hasMore: boolean } }
        for (const { id } of answer.channels) all.add(id)
        hasMore = answer.pagination.hasMore
      }
      counter.took(performance.now() - at)
      if (all.size < CHANNELS) throw new Error(`a list of ${all.size} channels`)
    }
    return counter.outcome()
  })
  connection.close()
  const { p50, p95, p99, max } = counter.outcome()
  return {
    name: `the whole list of ${thousands(CHANNELS)} channels, page after page`,
    unit: 'ms',
    value: p50,
    times: { p50, p95, p99, max },
    errors: 0,
    ...cpu.perThousand(),
  }
}

const thousands = (n: number) => n.toLocaleString('en')

/** Creates channels with a few members and messages each. */
async function makeChannels({ bench, people }: Fixture) {
  const members = people.slice(0, 5).map(({ id }) => id)
  let next = 0
  const make = async () => {
    while (next < CHANNELS) await createFilledChannel(bench.database.pool, `list-${next++}`, members, 3)
  }
  await Promise.all(Array.from({ length: 8 }, make))
  await bench.database.pool.query('vacuum analyze')
}
