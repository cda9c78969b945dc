import { expect, test } from 'vitest'
import { outdated } from './shares.ts'

const MINUTE_MS = 60_000
const ago = (id: string, minutes: number) => [id, { at: Date.now() - minutes * MINUTE_MS }] as const

test.each([
  ['none', [], 3, []],
  ['recent ones', [ago('a', 1), ago('b', 58)], 3, []],
  ['one that is an hour old', [ago('a', 1), ago('b', 61)], 3, ['b']],
  ['more than may wait: the oldest goes', [ago('b', 2), ago('c', 3), ago('a', 1)], 2, ['c']],
  ['one from the future, because the clock was set back', [ago('a', -120)], 3, ['a']],
])('%s', (_, shares, most, expected) => {
  expect(outdated(shares, most)).toEqual(expected)
})
