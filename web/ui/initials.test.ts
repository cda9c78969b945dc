import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test('two initials are those of the first and the last word, and one is that of the first', () => {
  const of = (name: string) => [initialsOf(name, 2), initialsOf(name, 1)]
  expect(of('Ada Lovelace')).toEqual(['AL', 'A'])
  expect(of('ada king-noel lovelace')).toEqual(['AL', 'A'])
  expect(of('bob')).toEqual(['B', 'B'])
  expect(of('bob.kahn')).toEqual(['BK', 'B'])
  expect(of('  Zoë  Lindqvist ')).toEqual(['ZL', 'Z'])
  expect(of('')).toEqual(['', ''])
})

test('an initial is a whole letter in any script, with its marks, or a whole emoji', () => {
  expect(initialsOf('林美', 1)).toBe('林')
  expect(initialsOf('ليلى حداد', 2)).toBe('لح')
  expect(initialsOf('e\u0301mile zola', 2)).toBe('E\u0301Z')
  expect(initialsOf('👩‍🚀 Valentina', 1)).toBe('👩‍🚀')
})

test('an initial that capitals would turn into several letters stays as it is, as do Georgian ones', () => {
  expect(initialsOf('ßeta', 1)).toBe('ß')
  expect(initialsOf('ﬃ ŉamib', 2)).toBe('ﬃŉ')
  expect(initialsOf('გიორგი მაისურაძე', 2)).toBe('გმ')
  expect(initialsOf('ΐota', 1)).toBe('ΐ'.toUpperCase())
})

test('punctuation, symbols and invisible marks around names are skipped, unless there is nothing else', () => {
  expect(initialsOf('(Bob) "Kahn"', 2)).toBe('BK')
  expect(initialsOf('«Zoé» +1', 2)).toBe('Z1')
  expect(initialsOf('Ada (:', 2)).toBe('A')
  expect(initialsOf('\u200fليلى', 1)).toBe('ل')
  expect(initialsOf('🇩🇪🇫🇷 Flag', 2)).toBe('🇩🇪F')
  expect(initialsOf('_', 1)).toBe('_')
  expect(initialsOf('... ---', 2)).toBe('.')
  expect(initialsOf(' (:', 2)).toBe('(')
})
