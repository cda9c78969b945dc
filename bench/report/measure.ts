import type { Job, Outcome } from '../load/jobs.ts'
import type { Workbench } from '../setup/workbench.ts'
import type { Aim, Row, Times } from './row.ts'

export interface Pace {
  /** Number of rounds, and seconds per turn in them. */
  rounds: number
  seconds: number
  /** Seconds of warm-up, in which the server's code is compiled. */
  warmUp: number
  /** Messages of a large channel. */
  messages: number
}

type WithoutDuration<J> = J extends unknown ? Omit<J, 'seconds'> : never
/** Creates the job of each round, without its duration. */
export type Load = WithoutDuration<Job>
export type LoadForRound = (round: number) => Load

/** Medians over the rounds. */
interface Measured {
  rate: number
  times: Times
}

interface Comparison {
  ours: Measured
  /** The ceilings by name; ratios are medians of ours / theirs within each round. */
  theirs: (Measured & { name: string; rateRatio: number; p50Ratio: number })[]
  /** CPU seconds of Parley and PostgreSQL per thousand of our responses, over all rounds. */
  cpu?: number
  /** All our outcomes, including the warm-up. */
  outcomes: Outcome[]
}

/** @throws Error at the first wrong response: a rate of wrong responses means nothing */
export async function runLoad({ generate }: Workbench, load: Load, seconds: number): Promise<Outcome> {
  const outcome = await generate({ ...load, seconds })
  if (outcome.wrong > 0) throw new Error(`${outcome.wrong} answers were wrong; the first: ${outcome.firstWrong}`)
  return outcome
}

/**
 * Takes turns (the others, ours, the others, ours, …): a temporarily slow machine slows all of them, so ratios of consecutive
 * turns are more reliable than rates.
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

/** The row of a measurement, compared with one ceiling, by default the first. */
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

/** Adds up the CPU time that jobs cost Parley and PostgreSQL, if the system reports it. */
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

const medianOutcome = (all: Outcome[]): Measured => ({
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
