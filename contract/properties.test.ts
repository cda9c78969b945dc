import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from './test/properties.ts'

const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process
function set(name: string, value: string | undefined) {
  if (value === undefined) delete env[name]
  else env[name] = value
}
const smallNumber = fc.property(fc.nat(1000), (n) => n < 500)

test('a failed property prints a command that repeats it', () => {
  const failed = fc.check(smallNumber, tries(100))
  expect(failed.failed).toBe(true)
  expect(() => fc.assert(smallNumber, { ...tries(100), seed: failed.seed })).toThrow(
    new RegExp(
      `^To repeat it: SEED=${failed.seed}:[\\d:]+ npx vitest run \\S+properties.test.ts -t "a failed property`,
    ),
  )
})

test('each run tries the given examples, then the same values; with LONG=1, new ones', ({ onTestFinished }) => {
  const kept = env['LONG']
  onTestFinished(() => set('LONG', kept))
  const valuesOf = (long: string | undefined) => {
    set('LONG', long)
    const values: number[] = []
    const property = fc.property(fc.integer(), (n) => void values.push(n))
    fc.assert(property, tries<[number]>(20, [[42]]))
    return values
  }
  const [first, second, third, fourth] = [undefined, undefined, '1', '1'].map(valuesOf)
  expect([first, second, third, fourth].map((values) => values?.[0])).toEqual([42, 42, 42, 42])
  expect(second).toEqual(first)
  expect(fourth).not.toEqual(third)
})

test('SEED repeats a run', ({ onTestFinished }) => {
  const kept = env['SEED']
  onTestFinished(() => set('SEED', kept))
  const first = fc.check(smallNumber, tries(100))
  env['SEED'] = `${first.seed}:${first.counterexamplePath}`
  const again = fc.check(smallNumber, tries(100))
  expect(again).toMatchObject({ failed: true, numRuns: 1, counterexample: first.counterexample })
})
