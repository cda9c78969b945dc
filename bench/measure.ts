import type { Job, Outcome } from './generator.ts'
import type { Workbench } from './workbench.ts'

export interface Pace {
  /** Pairs that are taken, and seconds of each half. */
  rounds: number
  seconds: number
  /** Seconds for which the second is asked before anything counts: a young server is compiled while it runs. */
  warmUp: number
}

export type Load = Omit<Job, 'seconds'>

/** Medians over the rounds. */
export interface Measured {
  rate: number
  p50: number
  p95: number
  p99: number
}

export interface Pair {
  first: Measured
  second: Measured
  /** Medians of second / first within each round: what slows the machine for a while slows both. */
  rateRatio: number
  p50Ratio: number
  /** All outcomes of the second: what was acknowledged, also while warming up. */
  outcomes: Outcome[]
}

/**
 * Takes two loads in turn (first, second, first, second, …), each round anew from its function.
 * @throws Error at the first answer that is wrong: a rate of wrong answers means nothing
 */
export async function measurePair(
  { generate }: Workbench,
  { rounds, seconds, warmUp }: Pace,
  first: (round: number) => Load,
  second: (round: number) => Load,
): Promise<Pair> {
  const take = async (load: Load, length: number) => {
    const outcome = await generate({ ...load, seconds: length })
    if (outcome.wrong > 0) throw new Error(`${outcome.wrong} answers were wrong; the first: ${outcome.firstWrong}`)
    return outcome
  }
  await take(first(-1), Math.min(0.5, warmUp))
  const outcomes = [await take(second(-1), warmUp)]
  const pairs: { first: Outcome; second: Outcome }[] = []
  for (let round = 0; round < rounds; round++) {
    const pair = { first: await take(first(round), seconds), second: await take(second(round), seconds) }
    pairs.push(pair)
    outcomes.push(pair.second)
  }
  return {
    first: middle(pairs.map((pair) => pair.first)),
    second: middle(pairs.map((pair) => pair.second)),
    rateRatio: median(pairs.map((pair) => pair.second.rate / pair.first.rate)),
    p50Ratio: median(pairs.map((pair) => pair.second.p50 / pair.first.p50)),
    outcomes,
  }
}

const middle = (all: Outcome[]): Measured => ({
  rate: median(all.map((it) => it.rate)),
  p50: median(all.map((it) => it.p50)),
  p95: median(all.map((it) => it.p95)),
  p99: median(all.map((it) => it.p99)),
})

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? half - 1 : half] ?? 0, sorted[half] ?? 0]
  return (low + high) / 2
}
