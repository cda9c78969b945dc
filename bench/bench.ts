// Measures Parley against ceilings taken in the same run; docs/bench.md says what the rows mean.
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { migrate } from '../server/db/migrate.ts'
import { contentsToSend, makeFilled, type Speaker, signUp } from './cast.ts'
import type { Outcome, Pages } from './generator.ts'
import { type Load, measurePair, type Pace, type Pair } from './measure.ts'
import { judge } from './oracle.ts'
import { awaitIndex, fillForSearch, measureCost, measureSearches } from './search.ts'
import { openWorkbench, type Workbench } from './workbench.ts'

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Letters of the rows to take. */
    only: { type: 'string', default: 'abcdef' },
    /** Folder for a CPU profile of the server. */
    profile: { type: 'string' },
  },
})
const pace: Pace = given.quick ? { rounds: 3, seconds: 0.7, warmUp: 2 } : { rounds: 3, seconds: 2, warmUp: 4 }
const LARGE = given.quick ? 100_000 : 1_000_000
const PAGE = 50

interface Row {
  name: string
  pair: Pair
  aim: string
}

async function main() {
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error('Stopped.')))
  })
  const bench = await openWorkbench(given.profile)
  try {
    await Promise.race([stopped, measure(bench)])
  } finally {
    await bench.close()
  }
}

async function measure(bench: Workbench) {
  const startedAt = Date.now()
  const { pool } = bench.database
  await migrate(bench.database.db)
  const people = await signUp(bench.parley, 20)
  const tokens = people.map(({ token }) => token)
  const make = (name: string, count: number) =>
    makeFilled(
      pool,
      name,
      people.map(({ id }) => id),
      count,
    )
  const rows: Row[] = []
  const sent: Outcome[] = []
  const takes = (letter: string) => given.only.includes(letter)
  const page = (channelId: string, before?: Pages['before']): Load => ({
    port: bench.parley,
    connections: 32,
    tokens,
    load: { kind: 'pages', path: `/api/messages/channel/${channelId}`, size: PAGE, before },
  })

  const contents = contentsToSend(500)
  const send = (channels: string[], run: string): Load => ({
    port: bench.parley,
    connections: 64,
    tokens,
    load: { kind: 'sends', path: '/api/messages', channels, contents, run, isStored: true },
  })
  const echo = (load: Load): Load => ({
    ...load,
    port: bench.ceilings,
    load: { ...load.load, path: '/echo', isStored: false } as Load['load'],
  })
  for (const [letter, count, name] of [
    ['a', 50, 'durable sends, 64 senders, 50 channels'],
    ['b', 1, 'durable sends, 64 senders, one channel'],
  ] as const) {
    if (!takes(letter)) continue
    const channels: string[] = []
    for (let n = 0; n < count; n++) channels.push(await make(`${letter}-${n}`, 100))
    const ours = (round: number) => send(channels, `${letter}${round}`)
    const pair = await measurePair(bench, pace, (round) => echo(ours(round)), ours)
    sent.push(...pair.outcomes)
    rows.push({ name: `(${letter}) ${name}`, pair, aim: '≥ 0.2' })
  }

  if (takes('c')) {
    const channelId = await make('c', 500)
    await hangPage(bench.ceilings, bench.parley, channelId, tokens[0] as string)
    const ceiling: Load = { ...page(channelId), port: bench.ceilings }
    ceiling.load = { ...ceiling.load, path: '/page' } as Load['load']
    const pair = await measurePair(
      bench,
      pace,
      () => ceiling,
      () => page(channelId),
    )
    rows.push({ name: '(c) first page', pair, aim: '≥ 0.3' })
  }

  if (takes('d')) {
    const small = await make('d-small', 1000)
    const filledAt = Date.now()
    const large = await make('d-large', LARGE)
    console.log(`Loaded ${LARGE} messages in ${((Date.now() - filledAt) / 1000).toFixed(1)} s.`)
    await pool.query('vacuum analyze messages')
    // Beyond the newest message each `before` asks for the first page under a key that no cache has.
    const unseen = (round: number) => ({ from: 2e9, to: 2e12, round })
    const any = (round: number) => ({ from: PAGE + 1, to: LARGE, round })
    for (const [what, first, second] of [
      ['first page', undefined, undefined],
      ['first page, uncached', unseen, unseen],
      ['any page, against an uncached first', unseen, any],
    ] as const) {
      const pair = await measurePair(
        bench,
        pace,
        (round) => page(small, first?.(round)),
        (round) => page(large, second?.(round)),
      )
      rows.push({ name: `(d) ${what}, channel of ${LARGE} against 1000`, pair, aim: '≥ 0.77' })
    }
  }

  const notes: string[] = []
  if (takes('f')) {
    const channels = await Promise.all(Array.from({ length: 50 }, (_, n) => make(`f-${n}`, 100)))
    const { ratio, outcomes } = await measureCost(bench, pace.rounds, pace.seconds, (run) => send(channels, `f-${run}`))
    sent.push(...outcomes)
    notes.push(`(f) a send with search costs **${ratio.toFixed(2)}** times one without; aim ≤ 1.5\n`)
  }
  if (takes('e')) notes.push(await searches(bench, people))

  const verdict = sent.length > 0 ? `\n${await judge(pool, sent)}` : ''
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const about = `Node ${process.version}, ${availableParallelism()} cores shared by the generator, PostgreSQL and the server; ${seconds} s.`
  await report(`${[...(rows.length > 0 ? [table(rows)] : []), ...notes].join('\n\n')}\n${verdict}\n${about}\n`)
}

async function searches(bench: Workbench, people: Speaker[]): Promise<string> {
  const sizes = given.quick ? [1000, 100_000] : [1000, 100_000, 1_000_000]
  const lines = new Map<string, string>()
  for (const [i, size] of sizes.entries()) {
    await fillForSearch(bench, people, sizes[i - 1] ?? 0, size)
    console.log(`${size} messages were indexed in ${(await awaitIndex(bench)).toFixed(0)} s.`)
    for (const { kind, p50, p95 } of await measureSearches(bench, people, pace.seconds))
      lines.set(kind, `${lines.get(kind) ?? `| (e) ${kind} |`} ${p50.toFixed(1)} / ${p95.toFixed(1)} |`)
  }
  return [
    `| p50 / p95 in ms | ${sizes.join(' | ')} |`,
    `|---|${sizes.map(() => '---:|').join('')}`,
    ...lines.values(),
  ].join('\n')
}

/** Gives the ceiling the bytes of a real page. */
async function hangPage(ceilings: number, parley: number, channelId: string, token: string) {
  const answer = await fetch(`http://127.0.0.1:${parley}/api/messages/channel/${channelId}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const headers = { 'content-type': 'application/json' }
  await fetch(`http://127.0.0.1:${ceilings}/page`, { method: 'PUT', headers, body: await answer.text() })
}

function table(rows: Row[]): string {
  const line = ({ name, pair: { first, second, rateRatio, p50Ratio }, aim }: Row) => {
    const times = [second.p50, second.p95, second.p99].map((ms) => ms.toFixed(1)).join(' / ')
    const numbers = [first.rate.toFixed(0), second.rate.toFixed(0), `**${rateRatio.toFixed(2)}**`, aim]
    return `| ${[name, ...numbers, `${first.p50.toFixed(1)} → ${times}`, p50Ratio.toFixed(2)].join(' | ')} |`
  }
  return [
    '| row | ceiling /s | Parley /s | ratio | aim | p50 of ceiling → p50 / p95 / p99, ms | p50 ratio |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...rows.map(line),
  ].join('\n')
}

async function report(text: string) {
  console.log(`\n${text}`)
  const folder = new URL('results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL(`${new Date().toISOString().slice(0, 16).replace(':', '')}.md`, folder), text)
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
