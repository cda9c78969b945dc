import { expect, test } from 'vitest'
import { filterBefore, filterText, isMoment, momentsOf, readQuery } from './search-query.ts'

test.each([
  ['two words', ['two', 'words'], []],
  ['"a phrase" word', ['a phrase', 'word'], []],
  ['“a phrase”', ['a phrase'], []],
  ['say "aloud', ['say', '"aloud'], []],
  ['foo"bar" 12"', ['foo"bar"', '12"'], []],
  ['"say "hi" now"', ['say "hi', 'now"'], []],
  ['""', ['""'], []],
  ['from:Ada launch', ['launch'], ['from ada']],
  ['in:"some channel" IN:#x', [], ['in some channel', 'in #x']],
  ['before:2026-01-31 after:2026-02-31', ['after:2026-02-31'], ['before 2026-01-31']],
  ['has:link has:tea', ['has:tea'], ['has link']],
  ['from: in: "from:ada" xfrom:ada', ['from:', 'in:', 'from:ada', 'xfrom:ada'], []],
  ['\u3000 \n', [], []],
])('%j parses to %j and %j', (typed, terms, filters) => {
  const read = readQuery(typed)
  expect(read.terms).toEqual(terms)
  expect(read.filters.map(({ name, value }) => `${name} ${value}`)).toEqual(filters)
})

test.each([
  ['from:', { name: 'from', value: '', start: 5 }],
  ['launch in:Lau', { name: 'in', value: 'lau', start: 10 }],
  ['in:"some ch', { name: 'in', value: 'some ch', start: 3 }],
  ['in:"say ""hi"" n', { name: 'in', value: 'say "hi" n', start: 3 }],
  ['launch', null],
  ['from:ada ', null],
  ['xfrom:a', null],
])('at the end of %j, the filter being typed is %j', (typed, filter) => {
  expect(filterBefore(typed, typed.length)).toEqual(filter)
})

test('a written filter parses to the same filter', () => {
  for (const [name, value] of [
    ['from', 'ada'],
    ['in', 'some channel'],
    ['in', 'say "hi" now'],
    ['in', '"quoted"'],
    ['in', '"'],
    ['in', 'the 12"'],
  ] as const)
    expect(readQuery(filterText(name, value)).filters).toMatchObject([{ name, value }])
})

test('only calendar days are valid, and before: and after: exclude the day', () => {
  expect(['2026-02-28', '2026-02-28T10:00Z', '2026-02-28T10:00:00.000Z'].every(isMoment)).toBe(true)
  expect(['2026-02-29', '2026-13-01', '28.2.2026', 'today', '2026-02-28T25:00Z', ''].some(isMoment)).toBe(false)
  expect(momentsOf('2026-01-02', '2026-01-01')).toEqual({ until: Date.UTC(2026, 0, 2), since: Date.UTC(2026, 0, 2) })
})
