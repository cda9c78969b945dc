import { expect, test } from 'vitest'
import { indexOfChosen, rowBeside } from './active-row.ts'

const rows = (ids: string) => [...ids].map((id) => ({ id }))

test('the row that the user chose stays active when rows arrive before it', () => {
  expect(indexOfChosen(rows('abc'), { sought: 'x', id: 'b' }, 'x')).toBe(1)
  expect(indexOfChosen(rows('zyabc'), { sought: 'x', id: 'b' }, 'x')).toBe(3)
})

test('no row is chosen if the chosen one is gone or the query has changed', () => {
  expect(indexOfChosen(rows('ac'), { sought: 'x', id: 'b' }, 'x')).toBe(-1)
  expect(indexOfChosen(rows('abc'), { sought: 'x', id: 'b' }, 'xy')).toBe(-1)
  expect(indexOfChosen(rows('abc'), { sought: 'x', id: undefined }, 'x')).toBe(-1)
})

test('arrow keys wrap around', () => {
  expect(rowBeside(rows('abc'), 2, 1)?.id).toBe('a')
  expect(rowBeside(rows('abc'), 0, -1)?.id).toBe('c')
  expect(rowBeside(rows('a'), 0, -1)?.id).toBe('a')
  expect(rowBeside([], 0, 1)).toBeUndefined()
})
