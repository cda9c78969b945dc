import type { Dice } from '../../server/demo/random.ts'
import type { Line } from './load.ts'
import * as office from './words-office.ts'
import * as work from './words-work.ts'
import { world } from './words-world.ts'

const words = { ...office, ...work, world }
export type Topic = keyof typeof words

/** One exchange: the lines with their speakers (0 is the first). */
type Thread = { speaker: number; text: string }[]

/**
 * Empty lines separate threads. Each line starts with its speaker, and lines without one continue the previous one. Two
 * apostrophes stand for a backtick.
 */
const read = (text: string): Thread[] =>
  text
    .trim()
    .split('\n\n')
    .map((block) =>
      block.split(/\n(?=[a-e]: )/).map((line) => ({
        speaker: line.charCodeAt(0) - 97,
        text: line
          .slice(3)
          .replaceAll(/'{2,3}/g, (quotes) => '`'.repeat(quotes.length === 2 ? 1 : 3))
          .trim(),
      })),
    )

const threads = Object.fromEntries(Object.entries(words).map(([topic, text]) => [topic, read(text)])) as Record<
  Topic,
  Thread[]
>

interface Talk {
  dice: Dice
  topics: Topic[]
  /** Ids of the speakers, and their first names. */
  members: string[]
  names: Map<string, string>
  count: number
  /** Milliseconds since 1970. */
  from: number
  to: number
}

/** The messages of a channel, oldest first, thread after thread, in working hours. */
export function* conversation({ dice, topics, members, names, count, from, to }: Talk): Generator<Line> {
  if (members.length === 0) return
  const moment = workingTime(from, to)
  const pool = topics.flatMap((topic) => threads[topic])
  const plan = planThreads(dice, pool, count)
  let left = count
  for (const [i, thread] of plan.entries()) {
    const end = moment((i + 1) / plan.length)
    // A thread stays within its own part of the time, however short.
    let at = moment((i + dice.roll() * 0.8) / plan.length)
    const speakers = dice.shuffle(members)
    const fill = filler(dice, [...names.values()])
    for (const { speaker, text } of thread.slice(0, left)) {
      yield { userId: speakers[speaker % speakers.length] as string, content: fill(text), at: Math.floor(at) }
      at = Math.min(end, at + dice.between(8_000, 30_000 + text.length * 1_500))
    }
    left -= thread.length
  }
}

/** Threads with `count` lines in total or a few more; none is repeated before all were used. */
function planThreads(dice: Dice, pool: Thread[], count: number): Thread[] {
  const plan: Thread[] = []
  let turn: Thread[] = []
  for (let lines = 0; lines < count; ) {
    if (turn.length === 0) turn = dice.shuffle(pool)
    const thread = turn.pop() as Thread
    plan.push(thread)
    lines += thread.length
  }
  return plan
}

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS

/** Maps 0 … 1 to the working hours (Monday to Friday, 7 to 18 o'clock, UTC) between two times, or to all of it. */
function workingTime(from: number, to: number): (part: number) => number {
  const hours: { from: number; to: number }[] = []
  for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
    const window = { from: Math.max(from, day + 7 * HOUR_MS), to: Math.min(to, day + 18 * HOUR_MS) }
    const isWeekend = new Date(day).getUTCDay() % 6 === 0
    if (!isWeekend && window.from < window.to) hours.push(window)
  }
  if (hours.length === 0) hours.push({ from, to })
  const whole = hours.reduce((sum, window) => sum + window.to - window.from, 0)
  return (part) => {
    let left = part * whole
    for (const window of hours) {
      if (left <= window.to - window.from) return window.from + left
      left -= window.to - window.from
    }
    return to
  }
}

/** Replaces the placeholders of a thread's lines; the same placeholder has the same value throughout the thread. */
function filler({ between, pick }: Dice, names: string[]): (text: string) => string {
  const pad = (n: number) => String(n).padStart(2, '0')
  const make: Record<string, () => string> = {
    ticket: () => `${pick(['PAY', 'WEB', 'OPS', 'APP', 'DATA'])}-${between(100, 4800)}`,
    pr: () => `#${between(200, 2900)}`,
    n: () => String(between(2, 48)),
    big: () => String(between(3, 90) * 100),
    ms: () => String(between(2, 60)),
    pct: () => String(between(5, 97)),
    version: () => `${between(1, 4)}.${between(0, 20)}.${between(0, 9)}`,
    sha: () => between(0x1000000, 0xfffffff).toString(16),
    time: () => `${pad(between(8, 17))}:${pick(['00', '15', '30', '45'])}`,
    day: () => pick(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']),
    host: () =>
      `${pick(['db', 'api', 'queue', 'edge', 'cache'])}-${between(1, 9)}.${pick(['eu', 'us', 'ap'])}.example.net`,
    customer: () => pick(['Northwind', 'Nordlicht', 'Acme', 'Kestrel Air', 'Müller & Söhne', '青空商事', 'Fabrikam']),
    person: () => pick(names),
  }
  const made: Record<string, string> = {}
  return (text) =>
    text.replaceAll(/\{(\w+)\}/g, (all, place: string) => {
      made[place] ??= make[place]?.() ?? all
      return made[place]
    })
}
