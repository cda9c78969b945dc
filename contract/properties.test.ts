import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from './test/properties.ts'

const smallNumber = fc.property(fc.nat(1000), (n) => n < 500)

test('a failed property prints one line that repeats it', () => {
  const failed = fc.check(smallNumber, tries(100))
  expect(failed.failed).toBe(true)
  expect(() => fc.assert(smallNumber, { ...tries(100), seed: failed.seed })).toThrow(
    new RegExp(
      `^To repeat it: SEED=${failed.seed}:[\\d:]+ npx vitest run \\S+properties.test.ts -t "a failed property`,
    ),
  )
})

test('each run tries new values after those that failed before', () => {
  const seen = [0, 1].map(() => {
    const values: number[] = []
    const property = fc.property(fc.integer(), (n) => void values.push(n))
    fc.assert(property, tries<[number]>(20, [[42]]))
    return values
  })
  expect(seen.map(([first]) => first)).toEqual([42, 42])
  expect(seen[0]).not.toEqual(seen[1])
})

test('SEED repeats a run', ({ onTestFinished }) => {
  const { process } = globalThis as unknown as { process: { env: Record<string, string> } }
  const before = process.env['SEED']
  onTestFinished(() => {
    if (before === undefined) delete process.env['SEED']
    else process.env['SEED'] = before
  })
  const first = fc.check(smallNumber, tries(100))
  process.env['SEED'] = `${first.seed}:${first.counterexamplePath}`
  const again = fc.check(smallNumber, tries(100))
  expect(again).toMatchObject({ failed: true, numRuns: 1, counterexample: first.counterexample })
})
