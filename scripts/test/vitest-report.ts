import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { Failure, Run } from './second-chance.ts'
import { firstLine } from './suites.ts'

/**
 * A Vitest reporter that writes the results to the file VITEST_REPORT. Vitest's own JSON report omits unhandled errors and files
 * that did not finish.
 */
export default class VitestReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const report: Omit<Run, 'code'> = {
      passed: count('passed'),
      skipped: count('skipped'),
      failures: [...modules.flatMap(failuresOf), ...unhandled.flatMap(failureOf)],
      strayErrors: unhandled.filter((error) => !testPath(error)).map(({ message }) => firstLine(message)),
      files: modules.map((module) => ({ file: fromRoot(module.moduleId), ms: module.diagnostic().duration })),
    }
    writeFileSync(process.env['VITEST_REPORT'] as string, JSON.stringify(report))
  }
}

/** The failed tests of a file, or a single failure if a hook failed or the file did not finish. */
function failuresOf(module: TestModule): Failure[] {
  const state = module.state()
  if (state === 'passed' || state === 'skipped') return []
  const file = fromRoot(module.moduleId)
  const failed = [...module.children.allTests('failed')]
  if (failed.length > 0)
    return failed.map((test) => ({ file, title: test.fullName, error: firstLine(test.result().errors?.[0]?.message) }))
  const [error] = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors())
  return [{ file, title: '(the file)', error: firstLine(error?.message ?? `the file is ${state}`) }]
}

function failureOf(error: SerializedError): Failure[] {
  const path = testPath(error)
  return path ? [{ file: fromRoot(path), title: '(an unhandled error)', error: firstLine(error.message) }] : []
}

const testPath = (error: SerializedError) => error['VITEST_TEST_PATH'] as string | undefined

const fromRoot = (path: string) => relative(process.cwd(), path)
