import { afterEach, beforeEach, expect, it } from 'vitest'
import { DiskLists } from './disk-lists.ts'

let lists: DiskLists
beforeEach(async () => {
  lists = await DiskLists.open()
})
afterEach(() => lists.close())

it('each list has values by key, of which the last ones are read in the order in which they were added', () => {
  for (const [index, name] of ['a', 'b', 'a', 'a'].entries()) lists.add(name, 'key', { index })
  lists.add('a', 'another key', { index: 9 })
  expect(lists.all('a', 'key')).toEqual([{ index: 0 }, { index: 2 }, { index: 3 }])
  expect(lists.all('a', 'key', 2)).toEqual([{ index: 2 }, { index: 3 }])
  expect(lists.last('a', 'key')).toEqual({ index: 3 })
  expect([lists.all('c', 'key'), lists.last('c', 'key'), lists.has('c', 'key')]).toEqual([[], undefined, false])
})

it('a key is new once', () => {
  expect([lists.addNew('a', 'x'), lists.addNew('a', 'x'), lists.addNew('b', 'x')]).toEqual([true, false, true])
})

it('values are sorted by place, then as they were added', () => {
  for (const [place, value] of [
    [3, 'c'],
    [1.5, 'a'],
    [3, 'd'],
    [2, 'b'],
  ] as const)
    lists.addSorted('letters', place, value)
  lists.addSorted('digits', 2, '1')
  expect([...lists.sorted('letters')]).toEqual(['a', 'b', 'c', 'd'])
  expect([...lists.sorted('digits')]).toEqual(['1'])
})
