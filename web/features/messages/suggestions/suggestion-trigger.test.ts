import { expect, test } from 'vitest'
import { mentionedIn } from '#contract/mentions'
import { triggerAt } from './suggestion-trigger.ts'

const at = (drawn: string) => {
  const trigger = triggerAt(drawn.replace('|', ''), drawn.indexOf('|'))
  return trigger && `${trigger.kind} ${trigger.from} ${trigger.word}`
}

test.each([
  ['@|', 'person 0 '],
  ['hi @Ad| there', 'person 3 ad'],
  ['(@ada|', 'person 1 ada'],
  ['_@ada|', 'person 1 ada'],
  ['こんにちは@あ|', 'person 5 あ'],
  ['@Ива|', 'person 0 ива'],
  ['#de|', 'channel 0 de'],
  [':ta|', 'emoji 0 ta'],
  [':+1|', 'emoji 0 +1'],
  ['`code` @a|', 'person 7 a'],
  ['```\ncode\n```\n@a|', 'person 13 a'],
  ["it's `quoted` and @b|", 'person 18 b'],
])('%s is %s', (drawn, expected) => expect(at(drawn)).toBe(expected))

test.each([
  'ada@b|',
  'a.b@c|',
  'http://x/#a|',
  'https:/|',
  '12:30|',
  ':t|',
  ':)|',
  '@ada |',
  '@@a|',
  '##a|',
  '`@a|`',
  '`@a|',
  '``x `@a| ``',
  '```\n@a|',
  '~~~\n@a|\n~~~',
  'a |@b',
])('%s triggers nothing', (drawn) => expect(at(drawn)).toBeUndefined())

test('wherever people are suggested, a chosen name mentions them', () => {
  const before = [
    '',
    ' ',
    'a',
    'é',
    '字',
    '.',
    '-',
    'a-',
    '_',
    '/',
    '@',
    '(',
    '>',
    '*',
    '1',
    '`',
    '`x` ',
    '```\n',
    '\n',
    '“',
  ]
  for (const piece of before) {
    const offered = triggerAt(`${piece}@ada`, piece.length + 4) !== undefined
    if (offered) expect(mentionedIn(`${piece}@ada `).names, piece).toEqual([['ada']])
  }
})
