import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each([
  ['hello **you**, _and_ ~~not~~ `code()`', 'hello you, and not code()'],
  ['# Plan\n\n- one\n- [x] two\n> said **she**', 'Plan one two said she'],
  ['see [the page](https://example.com/a "b") and ![a cat](cat.png)', 'see the page and a cat'],
  ['```ts\nconst a = 1\n```\nworks', 'const a = 1 works'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['@bob: مرحبا **بالجميع**', '@bob: مرحبا بالجميع'],
])('%j as plain text is %j', (content, text) => {
  expect(plainText(content)).toBe(text)
})

test('a long text is truncated between graphemes', () => {
  const family = '👩‍👩‍👧'
  expect(plainText(family.repeat(150))).toBe(family.repeat(150))
  expect(plainText(family.repeat(200))).toBe(`${family.repeat(159)}…`)
  expect(plainText('word '.repeat(100))).toBe(`${'word '.repeat(32).trimEnd()}…`)
  expect(plainText('**'.repeat(5000)).length).toBeLessThanOrEqual(160)
})
