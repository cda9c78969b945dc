import { expect, test } from 'vitest'
import {
  joinQuotes,
  joinTexts,
  messagePath,
  placeIn,
  quoteOf,
  splitQuotes,
  withoutQuotes,
  withQuoteLabels,
} from './quotes.ts'

const place = (n: number) => ({
  channelId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  messageId: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`,
})
const own = `[Read this](${messagePath(place(1))})`
const [one, two] = [quoteOf(place(1), 'Quoted message'), quoteOf(place(2), '引用したメッセージ')]

test.each([
  ['', [], ''],
  ['text', [], 'text'],
  [one, [one], ''],
  [`${one}\n`, [one], ''],
  [`${one}\n\n`, [one], ''],
  [`${one}\n\ntext`, [one], 'text'],
  [`${one}\n\n\ntext`, [one], '\ntext'],
  [`${one}\n\n${two}\n\ntext\n\n${one}`, [one, two], `text\n\n${one}`],
  // These are parts of a paragraph.
  [`${one}\ntext`, [], `${one}\ntext`],
  [`${one} text`, [], `${one} text`],
  ['[x](/channels/1?message=2#quote)\n\ntext', [], '[x](/channels/1?message=2#quote)\n\ntext'],
  // A link with words of the author's own.
  [`${own}\n\ntext`, [], `${own}\n\ntext`],
  [`${one}\n\n${one}\n\ntext`, [one], 'text'],
])('%j begins with the quotes %j', (text, quotes, rest) => {
  expect(splitQuotes(text)).toEqual({ quotes, rest })
})

test('what is joined can be split again, whatever the text', () => {
  for (const rest of ['', ' ', '\n', '\n\nx', 'x\n', `> ${one}`]) {
    expect(splitQuotes(joinQuotes([one, two], rest))).toEqual({ quotes: [one, two], rest })
    expect(splitQuotes(joinQuotes([], rest))).toEqual({ quotes: [], rest })
  }
})

test('a quote leads to its message', () => {
  expect(placeIn(two)).toEqual(place(2))
  expect(placeIn('text')).toBeUndefined()
})

test('a text is shown and searched without the addresses of its quotes', () => {
  const text = `${one}\n\nYes\n\n${two}\n\nsee ${one}`
  expect(withoutQuotes(text)).toBe(`Yes\n\nsee ${one}`)
  expect(withQuoteLabels(text)).toBe(`Quoted message\n\nYes\n\n引用したメッセージ\n\nsee ${one}`)
  expect(withoutQuotes(`${one}\n\n${two}`)).toBe('')
  expect(withQuoteLabels(one)).toBe('Quoted message')
  expect(withoutQuotes(`${one}\nmore`)).toBe(`${one}\nmore`)
  expect(withoutQuotes(own)).toBe(own)
})

test('texts are joined with the quotes of both in front, each once', () => {
  expect(joinTexts('first', 'second')).toBe('first\nsecond')
  expect(joinTexts('', 'second')).toBe('second')
  expect(joinTexts(`${one}\n\nfirst`, `${two}\n\n${one}\n\nsecond`)).toBe(`${one}\n\n${two}\n\nfirst\nsecond`)
  expect(joinTexts('first', one)).toBe(`${one}\n\nfirst`)
})
