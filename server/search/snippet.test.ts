import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '#contract/fold'
import { tries } from '#contract/test/properties'
import { matchesIn } from './matches.ts'
import { snippetOf } from './snippet.ts'

/** A snippet with its matches in brackets. */
function marked(message: string, ...terms: string[]) {
  const { content, matches } = snippetOf(message, terms.map(fold))
  return matches.reduceRight(
    (text, [from, to]) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`,
    content,
  )
}

test('a snippet is plain text', () => {
  expect(marked('# Plan\n\n- **0.93** is `addDays()`\n- see [the *launch* page](https://x.example)', 'launch')).toBe(
    'Plan 0.93 is addDays() · see the [launch] page',
  )
  expect(marked('```ts\nconst a = b * c * d\n__init__()\n```', 'init')).toBe('const a = b * c * d __[init]__()')
})

test('items of a list are told apart', () => {
  expect(marked('To bring:\n- tea\n- [x] milk\n\n* cake', 'milk')).toBe('To bring: tea · [milk] · cake')
  expect(marked('1. up\n2. down\nand around\n3. out', 'down')).toBe('1. up · 2. [down] and around 3. out')
  const items = Array.from({ length: 20 }, (_, n) => `- item ${n}`).join('\n')
  expect(marked(`${items}\n- the end`, 'end')).toMatch(/^…(?!·)/)
  expect(marked('- ![](https://a.example/b.png)\n- second', 'second')).toBe('[second]')
  // Not in code.
  expect(marked('```yaml\n- a\n- b\n```', 'b')).toBe('- a - [b]')
  expect(marked('- a\n- b', '- b')).toBe('a · [- b]')
})

test('markup stays if the search matches it', () => {
  expect(marked('it is **0.93** now', '**0.93')).toBe('it is [**0.93]** now')
  expect(marked('read [this](https://docs.example/launch) first', 'docs.example')).toBe(
    'read [this](https://[docs.example]/launch) first',
  )
  expect(marked('---', '--')).toBe('[--]-')
})

test('whole words take precedence over parts of words', () => {
  const message = `another mother gathers ${'and more '.repeat(12)}until the end`
  expect(marked(message, 'the')).toBe('…more and more and more and more until [the] end')
  expect(marked('another mother', 'the')).toBe('ano[the]r mo[the]r')
})

test('the snippet shows the passage with the most terms', () => {
  const message = `a plan ${'and more '.repeat(30)}a launch plan`
  expect(marked(message, 'plan', 'launch')).toBe('…and more and more and more and more a [launch] [plan]')
})

test('a message full of many terms yields only the first matches of each', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const found = matchesIn(letters.join(' ').repeat(200), letters)
  expect(found.length).toBeLessThan(1100)
  expect(new Set(found.map(({ term }) => term)).size).toBe(letters.length)
})

test('a match in a long word is in the first line', () => {
  const address = `https://example.com/${'a'.repeat(80)}/launch/${'b'.repeat(80)}`
  const { content, matches } = snippetOf(`see ${address}`, ['launch'])
  expect(content.startsWith('…aaaa')).toBe(true)
  expect(matches[0]?.[1]).toBeLessThanOrEqual(45)
})

const piece = fc.oneof(
  fc.constantFrom(
    'the',
    'other',
    'launch',
    'PAY-1042',
    'Straße',
    'naïve',
    'été',
    '東京都',
    'かが',
    '한국어',
    'مرحبا',
    'ไทย',
    '👩‍👩‍👧',
    '❤️',
    'a\u0301',
  ),
  fc.constantFrom(
    '**',
    '__',
    '*',
    '_',
    '~~',
    '`',
    '```',
    '\n```ts\n',
    '[',
    '](https://x.example/a_b)',
    '![',
    '\n- ',
    '\n> ',
    '\n# ',
    '|',
    '\n|-|-|\n',
    '\\*',
    '---',
    '<https://x.example>',
  ),
  fc.constantFrom(' ', ' ', '\n', '\n\n', '\t', '\u3000'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('word '.repeat(20), 'x'.repeat(90), '漢'.repeat(60)),
)

/** Wide characters among the pieces; half-width Hangul takes one column. */
const WIDE = /[[\p{sc=Han}\p{sc=Hang}]--[\uffa0-\uffdc]]|👩/v

test('for any message and any part of it, the match is in the first line', () => {
  const found = fc
    .array(piece, { minLength: 1, maxLength: 60 })
    .map((pieces) => pieces.join('').trim())
    .filter((message) => message !== '' && message.isWellFormed())
    .chain((message) =>
      fc.record({
        message: fc.constant(message),
        from: fc.nat(message.length - 1),
        length: fc.integer({ min: 1, max: 30 }),
      }),
    )
    .map(({ message, from, length }) => ({ message, term: fold(message.slice(from, from + length).toWellFormed()) }))
    .filter(({ message, term }) => term.trim() !== '' && fold(message).includes(term))
  fc.assert(
    fc.property(found, ({ message, term }) => {
      const { content, matches } = snippetOf(message, [term])
      const [first] = matches
      expect(first, content).toBeDefined()
      const [from, to] = first as [number, number]
      expect(fold(content.slice(from, to))).toContain(term.trim())
      const before = [...new Intl.Segmenter().segment(content.slice(0, from))]
      const columns = before.reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0)
      // 40, plus the ellipsis.
      expect(columns).toBeLessThanOrEqual(41)
      expect(content.isWellFormed()).toBe(true)
    }),
    tries(1000, [[{ message: `𐀀the❤️${'x'.repeat(90)}\uffa0𐀀𐀀𐀀𐀀Ṥ𐀀❤️[`, term: '𐀀𐀀' }]]),
  )
})
