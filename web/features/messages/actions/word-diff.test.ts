import { expect, test } from 'vitest'
import { wordDiff } from './word-diff.ts'

/** As `[-removed-]` and `{+added+}`. */
const shown = (before: string, after: string) =>
  wordDiff(before, after)
    ?.map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`))
    .join('')

test.each([
  ['the quick fox', 'the quick fox', 'the quick fox'],
  ['', 'all new', '{+all new+}'],
  ['all gone', '', '[-all gone-]'],
  ['lunch at noon', 'lunch at one', 'lunch at [-noon-]{+one+}'],
  ['we meet today', 'we meet later today', 'we meet {+later +}today'],
  ['ship it now please', 'send them now please', '[-ship it-]{+send them+} now please'],
  ['Lunch is on', 'Late lunch is on', '[-Lunch-]{+Late lunch+} is on'],
  ['one two', 'one\ntwo', 'one[- -]{+\n+}two'],
  ['a thougt', 'a thought!', 'a [-thougt-]{+thought!+}'],
  ['**bold** move', '*bold* move', '*[-*-]bold*[-*-] move'],
])('%j → %j', (before, after, expected) => {
  expect(shown(before, after)).toBe(expected)
})

test('words of languages without spaces are compared one by one', () => {
  expect(shown('今日は会議があります', '明日は会議があります')).toBe('[-今日-]{+明日+}は会議があります')
})

test('the parts make up both texts again', () => {
  const [before, after] = ['  Grüße 👩‍👩‍👧 an\n\nalle, bis 9:30 ', 'Viele  Grüße 👩‍👩‍👦\nan alle bis\t9:45']
  const parts = wordDiff(before, after) ?? []
  const without = (kind: string) =>
    parts
      .filter((part) => part.kind !== kind)
      .map(({ text }) => text)
      .join('')
  expect([without('added'), without('removed')]).toEqual([before, after])
})

test('texts of the greatest length that have nothing in common are given up soon', () => {
  const text = (from: number) => Array.from({ length: 1600 }, (_, n) => from + n * 7).join(' ')
  const start = performance.now()
  expect(wordDiff(text(10_000), text(50_003))).toBeUndefined()
  expect(performance.now() - start).toBeLessThan(1000)
})
