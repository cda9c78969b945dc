import type { KeyboardEvent } from 'react'
import { describe, expect, test } from 'vitest'
import type { TextChange } from './edit-text.ts'
import { toggleMark } from './format-toggle.ts'
import { type Mark, markForKey } from './mark-keys.ts'

/** A text with its selection in it: `a [b] c`, or `a | c` for a caret. */
function read(drawn: string) {
  const caret = drawn.indexOf('|')
  if (caret >= 0) return { text: drawn.replace('|', ''), start: caret, end: caret }
  const start = drawn.indexOf('[')
  return { text: drawn.replace('[', '').replace(']', ''), start, end: drawn.indexOf(']') - 1 }
}

function draw(before: string, { from, to, text: piece, select = [0, 0] }: TextChange) {
  const text = before.slice(0, from) + piece + before.slice(to)
  const [start, end] = select
  if (start === end) return `${text.slice(0, start)}|${text.slice(start)}`
  return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`
}

function toggled(drawn: string, mark: Mark) {
  const { text, start, end } = read(drawn)
  return draw(text, toggleMark(text, start, end, mark))
}

describe('a shortcut adds marks, and the same shortcut removes them', () => {
  test.each<[Mark, string, string]>([
    ['**', 'a [word] here', 'a **[word]** here'],
    ['*', 'a [word] here', 'a *[word]* here'],
    ['~~', 'a [word] here', 'a ~~[word]~~ here'],
    ['`', 'a [word] here', 'a `[word]` here'],
    ['**', 'a *[word]*', 'a ***[word]***'],
    ['*', 'a **[word]**', 'a ***[word]***'],
    ['`', 'a [b`c] d', 'a `` [b`c] `` d'],
    ['`', 'first\n[let a\nlet b]\nlast', 'first\n```\n[let a\nlet b]\n```\nlast'],
    ['`', '[a\n```\nb]', '````\n[a\n```\nb]\n````'],
    ['**', '漢字[かな]', '漢字**[かな]**'],
  ])('%s: %s', (mark, plain, marked) => {
    expect(toggled(plain, mark)).toBe(marked)
    expect(toggled(marked, mark)).toBe(plain)
  })

  test.each<[Mark, string, string]>([
    ['**', '[**word**]', '[word]'],
    ['*', '[***word***]', '[**word**]'],
    ['`', '[`word`]', '[word]'],
    ['`', '[```js\nlet a\n```]', '[let a]'],
    ['**', 'a[ word ]here', 'a **[word]** here'],
    ['**', '[- an item]', '- **[an item]**'],
    ['`', 'so: [a\nb] end', 'so: \n```\n[a\nb]\n```\n end'],
  ])('%s: %s', (mark, before, after) => expect(toggled(before, mark)).toBe(after))
})

test.each<[Mark, string, string]>([
  ['**', 'a | b', 'a **|** b'],
  ['**', 'a **|** b', 'a | b'],
  ['*', 'a **|** b', 'a ***|*** b'],
  ['`', '`|`', '|'],
  ['**', '**word|**', '**word**|'],
  ['`', 'a `word|` b', 'a `word`| b'],
])('%s without a selection: %s', (mark, before, after) => expect(toggled(before, mark)).toBe(after))

test('a shortcut is recognised by its letter or, on keyboards of other scripts, by its position', () => {
  const key = (key: string, code: string, shiftKey = false, ctrlKey = true) =>
    markForKey({ key, code, shiftKey, ctrlKey, metaKey: false, altKey: false } as KeyboardEvent)
  expect(key('b', 'KeyB')).toBe('**')
  expect(key('и', 'KeyB')).toBe('**')
  expect(key('i', 'KeyG')).toBe('*')
  expect(key('C', 'KeyC', true)).toBe('`')
  expect(key('c', 'KeyC')).toBeUndefined()
  expect(key('b', 'KeyB', false, false)).toBeUndefined()
  expect(key('x', 'KeyB')).toBeUndefined()
})
