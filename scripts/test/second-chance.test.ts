import { expect, test } from 'vitest'
import { type Failure, MAX_FAILURES, type Run, withSecondChance } from './second-chance.ts'
import { readBrowserReport } from './suites.ts'

const failure = (title: string): Failure => ({ file: 'server/a.test.ts', title, error: `${title} is wrong` })
const ran = (passed: number, ...failed: string[]): Run => ({
  code: failed.length > 0 ? 1 : 0,
  passed,
  skipped: 0,
  failures: failed.map(failure),
  strayErrors: [],
  files: [],
})

/** A suite with the given results, and the tests that each run was asked to rerun. */
function suite(...runs: Run[]) {
  const asked: (string[] | undefined)[] = []
  const run = async (failed?: Failure[]) => {
    asked.push(failed?.map(({ title }) => title))
    const next = runs.shift()
    if (!next) throw new Error('one run too many')
    return next
  }
  return { run, asked }
}

test('a suite that passes runs once', async () => {
  const { run, asked } = suite(ran(10))
  expect(await withSecondChance(run)).toMatchObject({ passed: 10, failed: 0, flaky: [] })
  expect(asked).toEqual([undefined])
})

test('a test that passes in a rerun counts as passed, and is listed as flaky', async () => {
  const { run, asked } = suite(ran(8, 'a', 'b'), ran(1, 'b'), ran(1))
  const outcome = await withSecondChance(run)
  expect(outcome).toMatchObject({ passed: 10, failed: 0, flaky: [failure('a'), failure('b')] })
  expect(outcome.problem).toBeUndefined()
  expect(asked).toEqual([undefined, ['a', 'b'], ['b']])
})

test('a test that fails two reruns fails the suite', async () => {
  const { run } = suite(ran(9, 'a'), ran(0, 'a'), ran(0, 'a'))
  expect(await withSecondChance(run)).toMatchObject({ failed: 1, problem: 'tests failed again alone' })
})

test('a broken build is not rerun', async () => {
  const { run } = suite(ran(0, ...Array.from({ length: MAX_FAILURES }, (_, n) => String(n))))
  expect(await withSecondChance(run)).toMatchObject({ failed: MAX_FAILURES, problem: /too many/ })
})

test('a strict run has no second chance', async () => {
  const { run } = suite(ran(9, 'a'))
  expect(await withSecondChance(run, true)).toMatchObject({ failed: 1, problem: 'tests failed' })
})

test.each<[Partial<Run>]>([
  [{ code: 1 }],
  [{ code: 0, passed: 0 }],
  [{ code: 0, failures: [failure('a')] }],
  [{ code: 1, failures: [failure('a')], strayErrors: ['a worker died'] }],
  [{ code: 0, strayErrors: ['a worker died'] }],
])('a run with an inconsistent result fails the suite: %j', async (odd) => {
  const { run } = suite({ ...ran(9), ...odd })
  expect((await withSecondChance(run)).problem).toBeDefined()
  const later = suite(ran(9, 'a'), { ...ran(9), ...odd })
  expect((await withSecondChance(later.run)).problem).toBeDefined()
})

test('journeys that did not run because a hook failed are failures; skipped ones are not', () => {
  const journey = (title: string, status: string, expectedStatus: string, error?: string) => ({
    file: 'a.spec.ts',
    title,
    tests: [{ status, expectedStatus, results: [{ duration: 5, error: error && { message: error } }] }],
  })
  const specs = [
    journey('passes', 'expected', 'passed'),
    journey('fails', 'unexpected', 'passed', '\u001b[31mError: no\u001b[39m\nat a.spec.ts'),
    journey('did not run', 'skipped', 'passed'),
    journey('skipped on purpose', 'skipped', 'skipped'),
  ]
  const suites = [{ specs: [], suites: [{ specs }] }]
  const report = { suites, errors: [{ message: 'teardown' }] } as unknown as Parameters<typeof readBrowserReport>[0]
  expect(readBrowserReport(report)).toEqual({
    passed: 1,
    skipped: 1,
    failures: [
      { file: 'e2e/a.spec.ts', title: 'fails', error: 'Error: no' },
      { file: 'e2e/a.spec.ts', title: 'did not run', error: 'it did not run' },
    ],
    strayErrors: ['teardown'],
    files: [{ file: 'e2e/a.spec.ts', ms: 20 }],
  })
})
