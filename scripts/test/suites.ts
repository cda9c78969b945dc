// The two suites of `npm test`. Each run is a separate process, whose results are read from its report.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import { root, run } from '../run-node.mjs'
import { type Failure, MAX_FAILURES, type Run } from './second-chance.ts'

type Report = Omit<Run, 'code'>

/** Outside of Playwright's output folders, which it empties at every start. */
export const RESULTS = join(root, 'test-results')
const VITEST_REPORT = join(RESULTS, 'vitest.json')
const BROWSER_REPORT = join(RESULTS, 'browser.json')

/**
 * Runs Vitest. Reruns whole files, because hooks and servers that a module starts belong to its file.
 * @param only the files to run; empty for all
 */
export async function runVitest(env: NodeJS.ProcessEnv, only: string[], failed?: Failure[]): Promise<Run> {
  const files = failed ? ['--maxWorkers=1', ...new Set(failed.map(({ file }) => file))] : only
  const reporters = ['--reporter=default', '--reporter=./scripts/test/vitest-report.ts']
  const code = await runReported(
    VITEST_REPORT,
    ['node_modules/vitest/vitest.mjs', 'run', ...reporters, `--bail=${MAX_FAILURES}`, ...files],
    { ...env, VITEST_REPORT },
  )
  return { code, ...readReport(VITEST_REPORT, (report: Report) => report) }
}

/** Runs Playwright, which remembers failed tests itself. @param only files, as above, or further arguments */
export async function runPlaywright(env: NodeJS.ProcessEnv, only: string[], failed?: Failure[]): Promise<Run> {
  // Another output folder keeps the screenshots of the first run.
  const again = failed ? ['--last-failed', '--workers=1', `--output=${join(RESULTS, 'browser-retry')}`] : []
  const code = await runReported(
    BROWSER_REPORT,
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--reporter=list,json',
      `--max-failures=${MAX_FAILURES}`,
      ...only,
      ...again,
    ],
    {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: BROWSER_REPORT,
      PLAYWRIGHT_LAST_RUN_OUTPUT_FILE: join(RESULTS, 'browser-last-run.json'),
    },
  )
  return { code, ...readReport(BROWSER_REPORT, readBrowserReport) }
}

function runReported(report: string, args: string[], env: NodeJS.ProcessEnv) {
  mkdirSync(RESULTS, { recursive: true })
  rmSync(report, { force: true })
  return run(args, env)
}

function readReport<T>(path: string, read: (report: T) => Report): Report {
  try {
    return read(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    return { passed: 0, skipped: 0, failures: [], strayErrors: [`no report was written (${error})`], files: [] }
  }
}

export function readBrowserReport({ suites, errors }: Pick<JSONReport, 'suites' | 'errors'>): Report {
  const tests = suites.flatMap(testsOf)
  const times = new Map<string, number>()
  for (const { file, ms } of tests) times.set(file, (times.get(file) ?? 0) + ms)
  return {
    passed: tests.filter(({ status }) => status === 'expected').length,
    skipped: tests.filter(({ status }) => status === 'skipped').length,
    failures: tests
      .filter(({ status }) => status !== 'expected' && status !== 'skipped')
      .map(({ file, title, error }) => ({ file, title, error })),
    strayErrors: errors.map(({ message }) => firstLine(message)),
    files: [...times].map(([file, ms]) => ({ file, ms })),
  }
}

function testsOf({ specs, suites = [] }: JSONReportSuite): (Failure & { status: string; ms: number })[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.map(({ status, expectedStatus, results }) => ({
      file: `e2e/${file}`,
      title,
      error: firstLine(results.find(({ error }) => error)?.error?.message ?? 'it did not run'),
      // Not skipped deliberately, but because a hook failed.
      status: status === 'skipped' && expectedStatus !== 'skipped' ? 'did not run' : status,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  )
  return [...own, ...suites.flatMap(testsOf)]
}

/** Without the colours of a terminal. */
export const firstLine = (text = 'no message') => stripVTControlCharacters(text).split('\n', 1)[0] as string
