import { compare, comparisonRow, type LoadForRound } from '../report/measure.ts'
import { type Aim, atLeast, type Row } from '../report/row.ts'
import type { Fixture } from '../setup/fixture.ts'
import type { Corpus } from '../setup/message-corpus.ts'
import { type Reading, replayAnswer } from '../setup/replayed-answers.ts'

const PAGE = 50
const READERS = 32
/** Offsets requested in one round: more than the page cache holds. */
const PLACES = 20_000

/** Pages of a channel: cached ones, and from the database the first, old ones and those around a message. */
export async function* measurePages(fixture: Fixture): AsyncGenerator<Row> {
  const { bench, pace } = fixture
  const { size, largest, members } = await fixture.corpus()
  const small = await fixture.fill('pages', 1000)
  await bench.database.pool.query('vacuum analyze messages')
  const ids = await spreadIds(fixture, largest, size)

  const read = (channelId: string, queries: string[]) => reading(fixture, members, channelId, queries)
  const first = (channelId: string) => () => read(channelId, [''])
  const unkept = (channelId: string) => (round: number) => read(channelId, unkeptFirstPages(round))
  const back = (round: number) => read(largest, before(size - 1000 * PAGE, size - 200 * PAGE, round))
  const around = (round: number) => read(largest, jumps(ids, round))

  const row = async (name: string, ours: LoadForRound, beside: Record<string, LoadForRound>, aim: Aim) =>
    comparisonRow(name, await compare(bench, pace, ours, beside), aim)
  const of = `of ${size.toLocaleString('en')}`
  const echoed = await replayAnswer(bench, first(small)())
  yield await row('first page', first(small), { 'bare Fastify': () => echoed }, atLeast(0.3))
  yield await row(`first page ${of}`, first(largest), { 'of 1,000': first(small) }, atLeast(0.77))
  yield await row(`first page ${of}, not kept`, unkept(largest), { 'of 1,000': unkept(small) }, atLeast(0.77))
  yield await row(`200th to 1000th page back ${of}`, back, { 'first page, not kept': unkept(largest) }, atLeast(0.67))
  yield await row(`jump to any message ${of}`, around, { 'first page, not kept': unkept(largest) }, atLeast(0.67))
}

export const reading = (
  { bench }: Fixture,
  members: Corpus['members'],
  channelId: string,
  queries: string[],
): Reading => ({
  kind: 'calls',
  port: bench.parley,
  connections: READERS,
  tokens: members.map(({ token }) => token),
  load: {
    kind: 'reads',
    paths: queries.map((query) => `/api/messages/channel/${channelId}${query}`),
    expects: { messages: PAGE },
  },
})

/** Positions spread over a span; different in each round. */
const before = (from: number, to: number, round: number) =>
  Array.from({ length: PLACES }, (_, i) => `?before=${from + ((((round + 1) * PLACES + i) * 7919) % (to - from))}`)

/** Requests for the first page with distinct cache keys: `before` is beyond the newest message. */
export const unkeptFirstPages = (round: number) => before(2e9, 2e12, round)

/** @param ids see `spreadIds` */
export function jumps(ids: string[], round: number) {
  const start = ((round + 1) * PLACES) % ids.length
  return ids.slice(start, start + PLACES).map((id) => `?around=${id}`)
}

/** Messages spread over a channel except its ends, in random order; enough for several rounds. */
export async function spreadIds({ bench }: Fixture, channelId: string, size: number): Promise<string[]> {
  const { rows } = await bench.database.pool.query<{ id: string }>(
    `select id from messages where "channelId" = $1 and seq between $2 and $3 order by hashtext(id::text) limit $4`,
    [channelId, PAGE, size - PAGE, 2 * PLACES],
  )
  return rows.map(({ id }) => id)
}
