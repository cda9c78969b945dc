import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { readProblem } from './errors.ts'
import { contentOf, seenText } from './text.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  '',
  ' \n\t ',
  '\u200b',
  '\u200b \u200d\u2060\ufeff',
  '\u2800\u3164\u115f\uffa0',
  '\ufe0f',
  '\u{e0041}',
  '\u00ad\u202e',
])('nothing is read aloud for %j', (text) => {
  expect(contentOf(text)).toBe('')
})

test.each([
  ['  hello  ', 'hello'],
  ['\u200bhello\u200b', '\u200bhello\u200b'],
  ['👩‍🚀', '👩‍🚀'],
  ['❤️', '❤️'],
  ['می‌خواهم', 'می‌خواهم'],
  ['.', '.'],
])('%j says %j', (text, content) => {
  expect(contentOf(text)).toBe(content)
})

const Name = seenText(80)
const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'

test.each([
  'می‌خواهم',
  'علی‌رضا',
  'بَه‌ها',
  'क्‍ष',
  'র‍্যাব',
  'അവന്‍',
  'ශ්‍රී',
  '👨‍👩‍👧‍👦 the Smiths',
  '👩🏽‍🚀',
  '🏳️‍🌈',
  '❤️‍🔥',
  `from ${england}`,
  '1️⃣',
])('the name %j is accepted unchanged', (name) => {
  expect(z.parse(Name, name)).toBe(name)
})

test.each([
  // Next to letters that don't join, or where nothing else joins, a joiner has no visible effect.
  ['کار\u200cها', 'کارها'],
  ['می\u200c\u200cخواهم', 'می\u200cخواهم'],
  ['\u200cعلی\u200c', 'علی'],
  ['علی\u200d', 'علی'],
  ['م\u200dی', 'می'],
  ['pay\u200dpal', 'paypal'],
  ['Ad\u200ca', 'Ada'],
  ['x\u0302\u200d\u0302', 'x\u0302\u0302'],
  ['王\u200c李', '王李'],
  ['க\u200cல', 'கல'],
  ['😀\u200d😀', '😀😀'],
  ['🚀\u200dع', '🚀ع'],
  ['❤️‍🔥\u200d', '❤️‍🔥'],
])('the name %j is normalized to %j', (name, taken) => {
  expect(z.parse(Name, name)).toBe(taken)
})

test.each([
  '\u200d',
  '\u200c\u200d',
  'می‌\u202eخواهم',
  'a\u200bb',
  'a\ufe0f',
  'Ada1\ufe0f',
  '\u2067Ada',
  '👨‍👩‍👧\u2060',
  '🏴\u{e0078}\u{e007f}',
])('the name %j is refused', (name) => {
  expect(z.safeParse(Name, name).success).toBe(false)
})

test('a name that is far too long is refused without being parsed', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  const { error } = z.safeParse(Name, 'ب\u0650'.repeat(300_000))
  expect(error?.issues.map(({ message }) => readProblem(message))).toEqual([{ reason: 'tooLong', values: { max: 80 } }])
  expect(normalize).not.toHaveBeenCalled()
  // Long input is accepted if its normal form is short enough.
  expect(z.parse(Name, 'e\u0301'.repeat(80))).toBe('é'.repeat(80))
  expect(z.parse(Name, 'م\u200d'.repeat(80))).toBe('م'.repeat(80))
})
