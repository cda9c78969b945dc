import type pg from 'pg'
import { fold } from '#contract/fold'
import { openConnection, requestText } from '../load/http-connection.ts'
import { createOutcomeCounter } from '../load/outcome-counter.ts'
import { median, meter, runLoad } from '../report/measure.ts'
import { atLeast, atMost, type Row } from '../report/row.ts'
import type { Fixture } from '../setup/fixture.ts'
import type { Corpus } from '../setup/message-corpus.ts'
import { sending } from './sends.ts'

const kinds: [kind: string, words: string[]][] = [
  ['rare words', ['quokkafish']],
  ['words in every thousandth', ['middlewordy']],
  ['common words', ['the', 'release', 'we', 'database']],
  ['phrases', ['"ready for review"', '"has anyone seen"', '"the other side hung up"']],
  ['parts of words', ['okkafi', 'iddlewo', 'eleas', 'view']],
  ['tickets and hosts', ['PAY-1042', 'OPS-47', 'db-3.eu.example.net', 'v2.1']],
  ['one and two characters', ['螺', '螺旋', 'Zq', 'db', 'e', '#', '鯨']],
  ['several words', ['quokkafish middlewordy', 'certificate deadline', 'the review']],
  ['misses', ['zzyzzxq', 'theration', 'reviewingest', '"release of the moon"']],
  [
    'filters',
    ['from:speaker-3', 'has:link', 'from:speaker-3 middlewordy', 'release before:2020-01-01', 'has:reaction'],
  ],
  ['no access to any hit', ['undisclosed', '"undisclosed"', 'disclose']],
]
const CLOSED = 'no access to any hit'
const MAX_P95_MS = 15
/** The minimum number of searches of each kind. */
const MIN_SAMPLES = 20

/** Latency of single searches by kind of query, and the cost that indexing adds to sending. */
export async function* measureSearch(fixture: Fixture): AsyncGenerator<Row> {
  const corpus = await fixture.corpus()
  yield* searches(fixture, corpus, MAX_P95_MS)
  yield await cost(fixture)
}

/** Searches of each kind. @param maxP95 the aim, in milliseconds */
export async function* searches(fixture: Fixture, corpus: Corpus, maxP95: number): AsyncGenerator<Row> {
  for (const [kind, words] of kinds) yield await search(fixture, corpus, kind, words, maxP95)
}

async function search(
  { bench, pace }: Fixture,
  corpus: Corpus,
  kind: string,
  words: string[],
  maxP95: number,
): Promise<Row> {
  const { token } = kind === CLOSED ? corpus.stranger : corpus.reader
  const connection = await openConnection(bench.parley)
  const counter = createOutcomeCounter()
  const cpu = meter(bench)
  await cpu.over(async () => {
    const until = performance.now() + pace.seconds * 1000
    for (let n = 0; performance.now() < until || n < MIN_SAMPLES; n++) {
      const q = words[n % words.length] as string
      const path = `/api/search?q=${encodeURIComponent(q)}`
      const at = performance.now()
      const { status, body } = await connection.ask(requestText('GET', path, { authorization: `Bearer ${token}` }))
      counter.took(performance.now() - at)
      if (status !== 200) throw new Error(`${q}: ${status} ${body}`)
      if (kind === CLOSED && body.toString() !== '[]') throw new Error(`${q} was found by a stranger`)
    }
    return counter.outcome()
  })
  connection.close()
  const { p50, p95, p99, max } = counter.outcome()
  return {
    name: `search in ${corpus.size.toLocaleString('en')}: ${kind}`,
    unit: 'ms',
    value: p50,
    times: { p50, p95, p99, max },
    errors: 0,
    ...cpu.perThousand(),
    aim: atMost(maxP95, 'p95'),
  }
}

/**
 * Sends with and without search: a view that discards its rows replaces the index table, so that the same
 * server writes and indexes nothing. The cost of indexing counts for the first.
 */
async function cost(fixture: Fixture): Promise<Row> {
  const { bench, pace, sent } = fixture
  const channels: string[] = []
  for (let n = 0; n < 50; n++) channels.push(await fixture.fill(`search-${n}`, 100))
  const rateOf = async (run: string): Promise<number> => {
    const outcome = await runLoad(bench, sending(fixture, channels, `search-${run}`), pace.seconds)
    sent.push(outcome)
    return outcome.rate
  }
  await rateOf('warm')
  const rounds: { without: number; with: number }[] = []
  for (let round = 0; round < pace.rounds; round++) {
    await bench.database.pool.query(WITHOUT)
    const without = await rateOf(`without-${round}`)
    await bench.database.pool.query(WITH)
    rounds.push({ without, with: await rateOf(`with-${round}`) })
  }
  await indexMissing(bench.database.pool)
  return {
    name: 'durable sends, 50 channels, with search and without',
    unit: '/s',
    value: median(rounds.map((it) => it.with)),
    ceiling: { name: 'without', value: median(rounds.map((it) => it.without)) },
    ratio: median(rounds.map((it) => it.with / it.without)),
    errors: 0,
    aim: atLeast(0.67),
  }
}

/** Adds the messages that were sent without search, so that the index is complete again. */
async function indexMissing(pool: pg.Pool) {
  const { rows } = await pool.query<{ id: string; channelId: string; content: string }>(
    `select m.id, m."channelId", m.content from messages m left join message_search s on s."messageId" = m.id
     where s."messageId" is null and m."deletedAt" is null`,
  )
  await pool.query(
    'insert into message_search ("messageId", "channelId", text) select * from unnest($1::uuid[], $2::uuid[], $3::text[])',
    [rows.map(({ id }) => id), rows.map(({ channelId }) => channelId), rows.map(({ content }) => fold(content))],
  )
}

const WITHOUT = `
  create or replace function forget() returns trigger language plpgsql as 'begin return null; end';
  alter table message_search rename to message_search_kept;
  create view message_search as select *, xmin from message_search_kept where false;
  create trigger forget instead of insert on message_search for each row execute function forget()`
const WITH = 'drop view message_search; alter table message_search_kept rename to message_search'
