import type { Job, Outcome } from '../load/jobs.ts'
import type { Workbench } from '../setup/workbench.ts'
import type { Aim, Row, Times } from './row.ts'

export interface Pace {
  /** Rounds that are taken, and seconds of each turn in them. */
  rounds: number
  seconds: number
  /** Seconds for which Parley is asked before anything counts: a young server is compiled while it runs. */
  warmUp: number
  /** Messages of a large channel. */
  messages: number
}

type WithoutDuration<J> = J extends unknown ? Omit<J, 'seconds'> : never
/** A job without its length; each round takes a new one. */
export type Load = WithoutDuration<Job>
export type LoadForRound = (round: number) => Load

/** Medians over the rounds. */
export interface Measured {
  rate: number
  times: Times
}

export interface Comparison {
  ours: Measured
  /** What ours was held against, by name; the ratios are medians of ours / theirs within each round. */
  theirs: (Measured & { name: string; rateRatio: number; p50Ratio: number })[]
  /** Processor seconds of Parley and PostgreSQL for a thousand answers of ours, all rounds together. */
  cpu?: number
  /** All outcomes of ours: what was acknowledged, also while warming up. */
  outcomes: Outcome[]
}

/** @throws Error at the first answer that is wrong: a rate of wrong answers means nothing */
export async function runLoad({ generate }: Workbench, load: Load, seconds: number): Promise<Outcome> {
  const outcome = await generate({ ...load, seconds })
  if (outcome.wrong > 0) throw new Error(`${outcome.wrong} answers were wrong; the first: ${outcome.firstWrong}`)
  return outcome
}

/**
 * Takes turns (the others, ours, the others, ours, …): what slows the machine for a while slows all of them, so that
 * ratios of neighbours say more than rates.
 */
export async function compare(
  bench: Workbench,
  { rounds, seconds, warmUp }: Pace,
  ours: LoadForRound,
  beside: Record<string, LoadForRound>,
): Promise<Comparison> {
  const others = Object.values(beside)
  for (const other of others) await runLoad(bench, other(-1), Math.min(0.5, warmUp))
  const warm = await runLoad(bench, ours(-1), warmUp)
  const cpu = meter(bench)
  const taken: { theirs: Outcome[]; ours: Outcome }[] = []
  for (let round = 0; round < rounds; round++) {
    const theirs: Outcome[] = []
    for (const other of others) theirs.push(await runLoad(bench, other(round), seconds))
    taken.push({ theirs, ours: await cpu.over(() => runLoad(bench, ours(round), seconds)) })
  }
  const own = taken.map((it) => it.ours)
  return {
    ours: medianOutcome(own),
    theirs: Object.keys(beside).map((name, i) => ({
      name,
      ...medianOutcome(taken.map((it) => it.theirs[i] as Outcome)),
      rateRatio: median(taken.map((it) => it.ours.rate / (it.theirs[i] as Outcome).rate)),
      p50Ratio: median(taken.map((it) => it.ours.p50 / (it.theirs[i] as Outcome).p50)),
    })),
    ...cpu.perThousand(),
    outcomes: [warm, ...own],
  }
}

/** The row of what was measured beside others: held against one of them, the first unless said. */
export function comparisonRow(name: string, { ours, theirs, cpu }: Comparison, aim?: Aim, which = 0): Row {
  const other = theirs[which]
  return {
    name,
    unit: '/s',
    value: ours.rate,
    ...(other && {
      ceiling: { name: other.name, value: other.rate, times: other.times },
      ratio: other.rateRatio,
      p50Ratio: other.p50Ratio,
    }),
    times: ours.times,
    errors: 0,
    ...(cpu !== undefined && { cpu }),
    ...(aim && { aim }),
  }
}

/** Adds up what some jobs cost Parley and PostgreSQL, where the system tells. */
export function meter({ cpu }: Workbench) {
  let seconds = 0
  let count = 0
  let isTold = true
  return {
    async over(act: () => Promise<Outcome>): Promise<Outcome> {
      const before = cpu()
      const outcome = await act()
      const after = cpu()
      if (before === undefined || after === undefined) isTold = false
      else seconds += after - before
      count += outcome.count
      return outcome
    },
    perThousand: () => (isTold ? { cpu: (seconds * 1000) / count } : {}),
  }
}

export const medianOutcome = (all: Outcome[]): Measured => ({
  rate: median(all.map(({ rate }) => rate)),
  times: {
    p50: median(all.map(({ p50 }) => p50)),
    p95: median(all.map(({ p95 }) => p95)),
    p99: median(all.map(({ p99 }) => p99)),
    max: Math.max(...all.map(({ max }) => max)),
  },
})

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? half - 1 : half] ?? 0, sorted[half] ?? 0]
  return (low + high) / 2
}
