// With thousands of tests on a busy machine some fail by chance, so failures run again, alone. Nothing is hidden: tests that
// then pass are reported as flaky.

/** With this many failures the build is broken, which a rerun can't fix. */
export const MAX_FAILURES = 20
const MAX_RERUNS = 2

export interface Failure {
  file: string
  title: string
  /** The first line of the first error. */
  error: string
}

/** One process of a test runner. */
export interface Run {
  /** Its exit code. */
  code: number
  passed: number
  skipped: number
  failures: Failure[]
  /** Errors outside of any test. */
  strayErrors: string[]
  files: TestFile[]
}

interface TestFile {
  file: string
  ms: number
}

export interface Outcome {
  passed: number
  failed: number
  skipped: number
  flaky: Failure[]
  /** Why the suite failed. */
  problem?: string
  files: TestFile[]
}

/**
 * Runs a suite, then reruns failed tests up to twice.
 * @param run runs all tests, or those that failed in the previous run
 * @param isStrict disables reruns
 */
export async function withSecondChance(run: (failed?: Failure[]) => Promise<Run>, isStrict = false): Promise<Outcome> {
  const first = await run()
  const { passed, skipped, files } = first
  let last = first
  let problem = unexplained(first)
  for (let reruns = 0; last.code !== 0 && !problem; reruns++) {
    if (isStrict) problem = 'tests failed'
    else if (last.failures.length >= MAX_FAILURES) problem = 'too many tests failed to rerun them'
    else if (reruns === MAX_RERUNS) problem = 'tests failed again alone'
    else {
      last = await run(last.failures)
      problem = unexplained(last)
    }
  }
  if (problem) return { passed, failed: Math.max(last.failures.length, 1), skipped, flaky: [], problem, files }
  return { passed: passed + first.failures.length, failed: 0, skipped, flaky: first.failures, files }
}

/** A problem that a rerun of the failed tests would not explain. */
function unexplained({ code, passed, failures, strayErrors }: Run) {
  if (strayErrors.length > 0) return `an error outside of any test: ${strayErrors[0]}`
  if (code !== 0 && failures.length === 0) return `exit code ${code} without a failed test`
  if (code === 0 && failures.length > 0) return 'exit code 0 with failed tests'
  if (code === 0 && passed === 0) return 'no test ran'
  return undefined
}
