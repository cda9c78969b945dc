import fc from 'fast-check'
import { expect } from 'vitest'

// The contract doesn't depend on Node.js types, but its tests run on it.
const { env = {} } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {}

/** The fixed seed of `npm test`, so that failures come from changes and not from chance; LONG=1 uses a new one each run. */
const FIXED_SEED = 20_261_127

/** LONG=1 runs ten times as many tries, with ten times the timeout. */
export const times = (count: number) => (env['LONG'] === '1' ? 10 * count : count)

/** How many of a slow test's tries `npm test` runs. */
const SLOW_SHARE = 0.4

/** Like `tries`, for a property whose tries take seconds: `npm test` runs fewer of them, and LONG=1 as many. */
export function slowTries<Values>(count: number, examples: Values[] = []): fc.Parameters<Values> {
  const all = tries(count, examples)
  return env['LONG'] === '1' ? all : { ...all, numRuns: examples.length + Math.ceil(count * SLOW_SHARE) }
}

/**
 * Options of a property test: number of tries, and the values that SEED repeats.
 * @param count number of tries, examples included
 * @param examples values that failed once, kept beside the test as regression tests
 */
export function tries<Values>(count: number, examples: Values[] = []): fc.Parameters<Values> {
  const [named, ...path] = (env['SEED'] ?? '').split(':')
  const seed = named ? Number(named) : env['LONG'] === '1' ? undefined : FIXED_SEED
  return {
    numRuns: times(count),
    examples,
    ...(seed !== undefined && { seed }),
    ...(path.length > 0 && { path: path.join(':'), endOnFailure: true }),
    reporter(run) {
      if (!run.failed) return
      const { testPath, currentTestName = '' } = expect.getState()
      const where = run.counterexamplePath === null ? run.seed : `${run.seed}:${run.counterexamplePath}`
      const again = `SEED=${where} npx vitest run ${testPath} -t ${JSON.stringify(currentTestName)}`
      throw new Error(`To repeat it: ${again}\n${fc.defaultReportMessage(run)}`, { cause: run.errorInstance })
    },
  }
}
