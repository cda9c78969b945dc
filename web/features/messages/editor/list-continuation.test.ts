import { expect, test } from 'vitest'
import { continueList } from './list-continuation.ts'

/** The text after pressing Enter at `|`. */
function after(drawn: string) {
  const caret = drawn.indexOf('|')
  const text = drawn.replace('|', '')
  const change = continueList(text, caret)
  if (!change) return undefined
  const { from, to, text: piece, select = [0, 0] } = change
  const now = text.slice(0, from) + piece + text.slice(to)
  return `${now.slice(0, select[0])}|${now.slice(select[0])}`
}

test.each([
  ['- one|', '- one\n- |'],
  ['* one|', '* one\n* |'],
  ['  - deep|', '  - deep\n  - |'],
  ['1. one|', '1. one\n2. |'],
  ['9) nine|', '9) nine\n10) |'],
  ['> said|', '> said\n> |'],
  ['> - said|', '> - said\n> - |'],
  ['before\n- one|\n- three', 'before\n- one\n- |\n- three'],
  ['- one| two', '- one\n- | two'],
  ['- |one', '- \n- |one'],
  // An empty item ends the list.
  ['- one\n- |', '- one\n|'],
  ['1. one\n2. |\nrest', '1. one\n|\nrest'],
  ['  - |', '|'],
  ['> - |', '> |'],
  ['> |', '|'],
  ['```\n  let a|', '```\n  let a\n  |'],
  ['```\n- a|', undefined],
  ['just words|', undefined],
  ['-5 degrees|', undefined],
  ['|- one', undefined],
  ['-| one', undefined],
  ['1.5 is|', undefined],
])('%j', (before, expected) => expect(after(before)).toBe(expected))
