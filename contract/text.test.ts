import { expect, test } from 'vitest'
import { contentOf } from './text.ts'

test.each([
  '',
  ' \n\t ',
  '\u200b',
  '\u200b \u200d\u2060\ufeff',
  '\u2800\u3164\u115f\uffa0',
  '\ufe0f',
  '\u{e0041}',
  '\u00ad\u202e',
])('%j says nothing', (text) => {
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
