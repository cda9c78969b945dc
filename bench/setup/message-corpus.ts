import type pg from 'pg'
import { makeChannel } from '../../scripts/seed/channels.ts'
import { type Line, loadMessages } from '../../scripts/seed/load.ts'
import { type Speaker, talk } from './sign-up-people.ts'

const DAY = 24 * 3600 * 1000
/** Milliseconds between two messages of one channel. */
const EVERY = 20_000
/** Messages of its channels, as parts of its size. */
const PARTS = [1, 0.05, 0.02, 0.01]
const CLOSED = 1

/** Years of messages in private channels, all of them indexed for search. */
export interface Corpus {
  /** Messages of its largest channel. */
  size: number
  largest: string
  /** Is in all of its channels but one, in which half of the messages hold the word `undisclosed`. */
  reader: Speaker
  /** Is in the smallest alone. */
  stranger: Speaker
  /** Who is in the largest. */
  members: Speaker[]
}

/** Words that stand in every so manieth message of all, or of the closed channel. */
const PLANTED = (n: number, channel: number) => [
  ...(n % 90_001 === 500 ? ['quokkafish'] : []),
  ...(n % 1009 === 0 ? ['middlewordy'] : []),
  ...(n % 50_021 === 600 ? ['螺旋'] : []),
  ...(n % 70_001 === 700 ? ['Zq'] : []),
  ...(channel === CLOSED && n % 2 === 0 ? ['undisclosed'] : []),
]

/** Makes it, and waits until the server has brought it into its index. */
export async function makeCorpus(pool: pg.Pool, people: Speaker[], size: number): Promise<Corpus> {
  const [stranger, reader] = people as [Speaker, Speaker]
  const from = Date.now() - 400 * DAY
  const channels: string[] = []
  for (const [i, part] of PARTS.entries()) {
    const members = i === CLOSED ? people.slice(2) : i === PARTS.length - 1 ? people : people.slice(1)
    const ids = members.map(({ id }) => id)
    const plan = { name: `corpus-${i}`, about: '', topics: [], part: 1, isPrivate: true }
    const id = await makeChannel(pool, plan, ids, new Date(from))
    await loadMessages(pool, id, plant(talk(ids, Math.round(size * part), from + size * EVERY, from), i))
    channels.push(id)
  }
  await indexed(pool)
  await pool.query('vacuum analyze')
  return { size, largest: channels[0] as string, reader, stranger, members: people.slice(1) }
}

function* plant(lines: Iterable<Line>, channel: number): Generator<Line> {
  let n = 0
  for (const line of lines) yield { ...line, content: [line.content, ...PLANTED(++n, channel)].join(' ') }
}

/** Resolves when all but the newest stand in the index. */
async function indexed(pool: pg.Pool) {
  for (let left = Number.POSITIVE_INFINITY; left > 10_000; await new Promise((resolve) => setTimeout(resolve, 500))) {
    const { rows } = await pool.query<{ n: number }>('select count(*) as n from message_search where block is null')
    left = rows[0]?.n ?? 0
  }
}
