import { type TestAPI, test } from 'vitest'

export const isLong = process.env['LONG'] === '1'

/** Runs with LONG=1 only, like the files `*.long.test.ts`; for tests that share what shorter ones of their file have set up. */
export const longTest: ReturnType<TestAPI['runIf']> = test.runIf(isLong)
