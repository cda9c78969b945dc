import { expect, test } from 'vitest'
import { stepFrom } from './use-channel-steps.ts'

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const steps = (from: string | undefined, by: 1 | -1, among = 'abcd') =>
  stepFrom(rows, from, by, ({ id }) => among.includes(id))?.id

test('from one to the next, around the list, over those that may not be gone to', () => {
  expect(['a', 'b', 'd'].map((id) => steps(id, 1))).toEqual(['b', 'c', 'a'])
  expect(['a', 'b', 'd'].map((id) => steps(id, -1))).toEqual(['d', 'a', 'c'])
  expect([steps('b', 1, 'a'), steps('b', -1, 'd'), steps('c', 1, 'bd'), steps('c', -1, 'bd')]).toEqual([
    'a',
    'd',
    'd',
    'b',
  ])
})

test('from nowhere it begins at the end that comes first; where there is nothing else, it stays', () => {
  expect([steps(undefined, 1), steps(undefined, -1), steps('gone', 1)]).toEqual(['a', 'd', 'a'])
  expect([steps('b', 1, 'b'), steps('b', -1, ''), stepFrom([], 'b', 1, () => true)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
