import type pg from 'pg'
import { type Line, loadMessages } from '../../scripts/seed/load.ts'
import { makeChannel } from '../../server/demo/channels.ts'
import { type SignedUpUser, talk } from './sign-up-people.ts'

const DAY_MS = 24 * 3600 * 1000
/** Milliseconds between two messages of one channel. */
const MESSAGE_INTERVAL_MS = 20_000
/** Messages per channel, as fractions of the corpus size. */
const CHANNEL_SIZES = [1, 0.05, 0.02, 0.01]
const CLOSED_CHANNEL = 1

/** Years of messages in private channels, all of them indexed for search. */
export interface Corpus {
  /** Messages of its largest channel. */
  size: number
  largest: string
  /** Largest first. */
  channels: string[]
  /** A member of all channels but one, where half of the messages contain the word `undisclosed`. */
  reader: SignedUpUser
  /** A member of only the smallest channel. */
  stranger: SignedUpUser
  /** The members of the largest channel. */
  members: SignedUpUser[]
}

/** Words by frequency: each is in every n-th message of all channels, or of the closed one. */
const plantedWords = (n: number, channel: number) => [
  ...(n % 90_001 === 500 ? ['quokkafish'] : []),
  ...(n % 1009 === 0 ? ['middlewordy'] : []),
  ...(n % 50_021 === 600 ? ['螺旋'] : []),
  ...(n % 70_001 === 700 ? ['Zq'] : []),
  ...(channel === CLOSED_CHANNEL && n % 2 === 0 ? ['undisclosed'] : []),
]

/** Creates the corpus, and waits until the server has indexed it. */
export async function makeCorpus(pool: pg.Pool, people: SignedUpUser[], size: number): Promise<Corpus> {
  const [stranger, reader] = people as [SignedUpUser, SignedUpUser]
  const from = Date.now() - 400 * DAY_MS
  const channels: string[] = []
  for (const [i, part] of CHANNEL_SIZES.entries()) {
    const members = i === CLOSED_CHANNEL ? people.slice(2) : i === CHANNEL_SIZES.length - 1 ? people : people.slice(1)
    const ids = members.map(({ id }) => id)
    const plan = { name: `corpus-${size}-${i}`, about: '', topics: [], part: 1, isPrivate: true }
    const id = await makeChannel(pool, plan, ids, new Date(from))
    await loadMessages(pool, id, plant(talk(ids, Math.round(size * part), from + size * MESSAGE_INTERVAL_MS, from), i))
    channels.push(id)
  }
  await indexed(pool)
  await pool.query('vacuum analyze')
  return { size, largest: channels[0] as string, channels, reader, stranger, members: people.slice(1) }
}

function* plant(lines: Iterable<Line>, channel: number): Generator<Line> {
  let n = 0
  for (const line of lines) yield { ...line, content: [line.content, ...plantedWords(++n, channel)].join(' ') }
}

/** Resolves when all but the newest are indexed. Counting all would slow down the server that indexes them. */
export async function indexed(pool: pg.Pool) {
  const isBehind = async () => {
    const { rows } = await pool.query('select 1 from message_search where block is null offset 10000 limit 1')
    return rows.length > 0
  }
  while (await isBehind()) await new Promise((resolve) => setTimeout(resolve, 500))
}
