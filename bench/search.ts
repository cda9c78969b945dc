// Row (e): how long a search takes, by what is looked for and how many messages there are. Row (f): what sending costs more.
import type pg from 'pg'
import { makeChannel } from '../scripts/seed-channels.ts'
import { type Line, loadMessages } from '../scripts/seed-load.ts'
import type { Speaker } from './cast.ts'
import { talk } from './cast.ts'
import { openConnection, requestText } from './connection.ts'
import type { Outcome } from './generator.ts'
import type { Load } from './measure.ts'
import type { Workbench } from './workbench.ts'

const DAY = 24 * 3600 * 1000
/** Parts of all messages, by channel; the reader is in all but the second, the stranger in the last alone. */
const SHARES = [0.4, 0.2, 0.15, 0.1, 0.08, 0.05, 0.02]
const CLOSED = 1

/** Words that stand in every so manieth message of all, or of the closed channel. */
const PLANTED = (n: number, channel: number) => [
  ...(n % 90_001 === 500 ? ['quokkafish'] : []),
  ...(n % 1009 === 0 ? ['middlewordy'] : []),
  ...(n % 50_021 === 600 ? ['螺旋'] : []),
  ...(n % 70_001 === 700 ? ['Zq'] : []),
  ...(channel === CLOSED && n % 2 === 0 ? ['undisclosed'] : []),
]

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

/** Fills to so many messages, in the order of their times. */
export async function fillForSearch({ database }: Workbench, people: Speaker[], from: number, to: number) {
  const { pool } = database
  const speakers = people.map(({ id }) => id)
  const days = { from: Date.now() - 400 * DAY + from * 20_000, to: Date.now() - 400 * DAY + to * 20_000 }
  for (const [i, share] of SHARES.entries()) {
    const members = i === CLOSED ? speakers.slice(2) : i === SHARES.length - 1 ? speakers : speakers.slice(1)
    const id = await channelFor(pool, `search-${i}`, members, days.from)
    const count = Math.round((to - from) * share)
    await loadMessages(pool, id, plant(talk(members, count, days.to, days.from), i, Math.round(from * share)))
  }
}

async function channelFor(pool: pg.Pool, name: string, members: string[], at: number): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select id from channels where name = $1', [name])
  const plan = { name, about: '', topics: [], part: 1, isPrivate: true }
  return rows[0]?.id ?? makeChannel(pool, plan, members, new Date(at))
}

function* plant(lines: Iterable<Line>, channel: number, from: number): Generator<Line> {
  let n = from
  for (const line of lines) yield { ...line, content: [line.content, ...PLANTED(++n, channel)].join(' ') }
}

/** Waits until the server has brought all but the newest into its index; answers the seconds it took. */
export async function awaitIndex({ database: { pool } }: Workbench): Promise<number> {
  const startedAt = Date.now()
  for (let left = Number.POSITIVE_INFINITY; left > 10_000; await new Promise((resolve) => setTimeout(resolve, 500))) {
    const { rows } = await pool.query<{ n: number }>('select count(*) as n from message_search where block is null')
    left = rows[0]?.n ?? 0
  }
  await pool.query('vacuum analyze')
  return (Date.now() - startedAt) / 1000
}

/** Milliseconds of each kind of search, one at a time: as many as fit into so many seconds, and at least twenty. */
export async function measureSearches({ parley }: Workbench, people: Speaker[], seconds: number) {
  const connection = await openConnection(parley)
  const rows: { kind: string; p50: number; p95: number }[] = []
  for (const [kind, words] of kinds) {
    const reader = kind.startsWith('no access') ? people[0] : people[1]
    const times: number[] = []
    for (const end = performance.now() + seconds * 1000; performance.now() < end || times.length < 20; ) {
      const q = words[times.length % words.length] as string
      const path = `/api/search?q=${encodeURIComponent(q)}`
      const at = performance.now()
      const { status, body } = await connection.ask(
        requestText('GET', path, { authorization: `Bearer ${reader?.token}` }),
      )
      times.push(performance.now() - at)
      if (status !== 200) throw new Error(`${q}: ${status} ${body}`)
      if (kind.startsWith('no access') && body.toString() !== '[]') throw new Error(`${q} was found by a stranger`)
    }
    times.sort((a, b) => a - b)
    const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] as number
    rows.push({ kind, p50: at(0.5), p95: at(0.95) })
  }
  connection.close()
  return rows
}

/**
 * Sends with search and without: a view takes the place of its table and forgets what it is given, so that the same
 * server writes nothing and indexes nothing. What is indexed meanwhile counts for the first.
 * @returns how many times as dear a send is, by the median of the rounds
 */
export async function measureCost(bench: Workbench, rounds: number, seconds: number, load: (run: string) => Load) {
  const { database, generate } = bench
  const ratios: number[] = []
  const outcomes: Outcome[] = []
  const take = async (run: string, length: number) => {
    const outcome = await generate({ ...load(run), seconds: length })
    if (outcome.wrong > 0) throw new Error(`${outcome.wrong} answers were wrong; the first: ${outcome.firstWrong}`)
    outcomes.push(outcome)
    return outcome.rate
  }
  await take('warm', seconds)
  for (let round = 0; round < rounds; round++) {
    await database.pool.query(WITHOUT)
    const without = await take(`without${round}`, seconds)
    await database.pool.query(WITH)
    ratios.push(without / (await take(`with${round}`, seconds)))
  }
  return { ratio: ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] as number, outcomes }
}

const WITHOUT = `
  create or replace function forget() returns trigger language plpgsql as 'begin return null; end';
  alter table message_search rename to message_search_kept;
  create view message_search as select *, xmin from message_search_kept where false;
  create trigger forget instead of insert on message_search for each row execute function forget()`
const WITH = 'drop view message_search; alter table message_search_kept rename to message_search'
