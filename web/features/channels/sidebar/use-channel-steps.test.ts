import { expect, test } from 'vitest'
import { stepFrom } from './use-channel-steps.ts'

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const steps = (from: string | undefined, by: 1 | -1, among = 'abcd') =>
  stepFrom(rows, from, by, ({ id }) => among.includes(id))?.id

test('steps wrap around the list and skip rows that are not candidates', () => {
  expect(['a', 'b', 'd'].map((id) => steps(id, 1))).toEqual(['b', 'c', 'a'])
  expect(['a', 'b', 'd'].map((id) => steps(id, -1))).toEqual(['d', 'a', 'c'])
  expect([steps('b', 1, 'a'), steps('b', -1, 'd'), steps('c', 1, 'bd'), steps('c', -1, 'bd')]).toEqual([
    'a',
    'd',
    'd',
    'b',
  ])
})

test('without an open row, steps start at the first or the last; without another candidate, nothing is returned', () => {
  expect([steps(undefined, 1), steps(undefined, -1), steps('gone', 1)]).toEqual(['a', 'd', 'a'])
  expect([steps('b', 1, 'b'), steps('b', -1, ''), stepFrom([], 'b', 1, () => true)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
