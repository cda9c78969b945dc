import fc from 'fast-check'
import { expect } from 'vitest'

// The contract knows no Node; its tests run on it.
const { env = {} } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {}

/** The seed of `npm test`, so that it fails for what was changed and not by chance; LONG=1 tries new values at each run. */
const FIXED_SEED = 20_261_127

/** LONG=1 tries ten times as often, and has ten times as long for it. */
export const times = (count: number) => (env['LONG'] === '1' ? 10 * count : count)

/**
 * How often a property is tried, and with which values: SEED names the ones to repeat.
 * @param count number of tries; the examples are the first of them
 * @param examples values that failed once, written beside the test, so that they are tried for ever
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
