import { expect, test } from 'vitest'
import type { TextChange } from './edit-text.ts'
import { type LineFormat, toggleLines, toggleLink } from './format-lines.ts'

/** Applies a change to a drawing such as 'one ‹two› three'. */
function after(drawn: string, change: (text: string, start: number, end: number) => TextChange) {
  const start = drawn.search(/[‹|]/)
  const text = drawn.replace(/[‹›|]/g, '')
  const end = drawn.includes('›') ? drawn.indexOf('›') - 1 : start
  const { from, to, text: piece, select = [0, 0] } = change(text, start, end)
  const now = text.slice(0, from) + piece + text.slice(to)
  const [a, b] = select
  return a === b ? `${now.slice(0, a)}|${now.slice(a)}` : `${now.slice(0, a)}‹${now.slice(a, b)}›${now.slice(b)}`
}

test.each<[LineFormat, string, string]>([
  ['list', '|', '- |'],
  ['list', 'buy mi|lk', '- buy mi|lk'],
  ['list', '- buy mi|lk', 'buy mi|lk'],
  ['list', '- |', '|'],
  ['list', '-| a', '|a'],
  ['list', 'a‹b\nc›d', '‹- ab\n- cd›'],
  ['list', '‹- ab\n- cd›', '‹ab\ncd›'],
  ['list', '‹1. ab\n2. cd›', '‹- ab\n- cd›'],
  ['list', '‹a\n\nb›', '‹- a\n\n- b›'],
  ['list', '‹one\n›two', '‹- one›\n\ntwo'],
  ['list', '|one\n- two', '- |one\n- two'],
  ['list', '|\n\none', '- |\n\none'],
  ['numbers', '‹a\nb\nc›', '‹1. a\n2. b\n3. c›'],
  ['numbers', '‹1. a\n2. b›', '‹a\nb›'],
  ['quote', 'before\n‹a\n\nb›', 'before\n‹> a\n>\n> b›'],
  ['quote', '‹> a\n>\n> b›', '‹a\n\nb›'],
  ['quote', '- an it|em', '> - an it|em'],
])('%s: %j', (format, drawn, expected) =>
  expect(after(drawn, (text, start, end) => toggleLines(text, start, end, format))).toBe(expected),
)

test.each([
  ['see |', 'see [|]()'],
  ['see ‹this› now', 'see [this](|) now'],
  ['see ‹ this › now', 'see  [this](|)  now'],
  ['‹https://a.example/b›', '[|](https://a.example/b)'],
  ['‹[this](https://a.example)›', '‹this›'],
  ['‹a [b]›', '[a \\[b\\]](|)'],
  ['‹[a \\[b\\]]()›', '‹a [b]›'],
])('link: %j', (drawn, expected) => expect(after(drawn, toggleLink)).toBe(expected))
