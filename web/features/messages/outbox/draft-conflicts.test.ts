import { expect, test } from 'vitest'
import { mayOverwrite, reactionTo } from './draft-conflicts.ts'

const JUST_NOW_MS = 0
const LONG_AGO_MS = 6000

const typed = (text: string, sinceTypedMs: number) => ({ text, version: 'mine', sinceTypedMs })
const onlyShown = (text: string) => ({ text, version: 'mine', sinceTypedMs: undefined })
const stored = (text: string) => ({ text, version: 'theirs' })
const ended = (text: string) => ({ text: '', ended: text, version: 'mine' })

test.each([
  ['text not typed here follows the other tab', stored('b'), onlyShown('a'), 'show it'],
  ['an empty composer follows the other tab', stored('b'), typed('', JUST_NOW_MS), 'show it'],
  ['text typed here is kept beside a different one', stored('b'), typed('a', LONG_AGO_MS), 'keep both'],
  ['a longer version of text typed here is shown', stored('a and b'), typed('a', LONG_AGO_MS), 'show it'],
  ['a longer version does not appear while the user types', stored('a and b'), typed('a', JUST_NOW_MS), 'keep both'],
  ['text sent in another tab is cleared', ended('a'), typed('a ', JUST_NOW_MS), 'show it'],
  ['text stays if a different one was sent', ended('b'), typed('a', LONG_AGO_MS), 'keep both'],
  ['text typed here survives the removal of its entry', undefined, typed('a', LONG_AGO_MS), 'keep both'],
  ['text not typed here is cleared with its entry', undefined, onlyShown('a'), 'show it'],
] as const)('%s', (_, change, shown, reaction) => {
  expect(reactionTo(change, change, shown)).toBe(reaction)
})

test('a change that this tab has already overwritten is ignored', () => {
  const own = { text: 'a', version: 'mine' }
  expect(reactionTo(stored('b'), own, typed('a', LONG_AGO_MS))).toBe('ignore')
  expect(reactionTo(ended('a'), ended('a'), typed('a', LONG_AGO_MS))).toBe('show it')
})

test('a tab overwrites an entry only in the version that it shows', () => {
  expect(mayOverwrite(undefined, 'mine')).toBe(true)
  expect(mayOverwrite({ text: 'a', version: 'mine' }, 'mine')).toBe(true)
  expect(mayOverwrite(stored('b'), 'mine')).toBe(false)
  expect(mayOverwrite(stored('b'), undefined)).toBe(false)
})
