import { type TestAPI, test } from 'vitest'

export const isLong = process.env['LONG'] === '1'

/** Runs only with LONG=1, like the files `*.long.test.ts`; for tests that share the setup of shorter ones in the same file. */
export const longTest: ReturnType<TestAPI['runIf']> = test.runIf(isLong)
