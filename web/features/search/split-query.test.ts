import { expect, test } from 'vitest'
import { beginFilter, completeFilter, finished, joinQuery, splitQuery, withoutTypedFilter } from './split-query.ts'

const known = ({ value }: { value: string }) => value !== 'nobody'
const split = (query: string) => {
  const { filters, text } = splitQuery(query, known)
  return [filters.map((filter) => filter.text), text]
}

test.each([
  ['launch', [], 'launch'],
  ['from:ada', [], 'from:ada'],
  ['from:ada ', ['from:ada'], ''],
  ['a from:ada b in:"some channel" c', ['from:ada', 'in:"some channel"'], 'a b c'],
  ['from:nobody x', [], 'from:nobody x'],
  ['"from:ada " x', [], '"from:ada " x'],
  ['before:yesterday has:tea x', [], 'before:yesterday has:tea x'],
])('%j has the finished filters %j and the text %j', (query, filters, text) => {
  expect(split(query)).toEqual([filters, text])
})

test('joining a split query keeps its filters and text', () => {
  for (const query of ['from:ada ', 'x from:ada has:link  y', 'in:general launch', '']) {
    const { filters, text } = splitQuery(query, known)
    expect(split(joinQuery(filters, text))).toEqual(split(query))
  }
})

test('the last filter of a stored search is finished; other searches stay as they are', () => {
  expect(finished('launch from:ada')).toBe('launch from:ada ')
  expect(finished('launch')).toBe('launch')
})

test('a filter is begun at the caret, completed, and replaces an unfinished one', () => {
  expect(beginFilter({ text: '', caret: 0 }, 'from')).toEqual({ text: 'from:', caret: 5 })
  expect(beginFilter({ text: 'launch', caret: 6 }, 'in')).toEqual({ text: 'launch in:', caret: 10 })
  expect(beginFilter({ text: 'from:a', caret: 6 }, 'in')).toEqual({ text: 'in:', caret: 3 })
  expect(beginFilter({ text: 'ab', caret: 0 }, 'has')).toEqual({ text: 'has: ab', caret: 4 })
  expect(completeFilter({ text: 'x from:a y', caret: 8 }, 'from:ada')).toEqual({ text: 'x from:ada y', caret: 11 })
  expect(withoutTypedFilter({ text: 'launch from:a', caret: 13 })).toBe('launch ')
  expect(withoutTypedFilter({ text: 'launch', caret: 6 })).toBe('launch')
})
