import { expect, test } from 'vitest'
import { countEmoji, frequentEmoji } from './emoji-counts.ts'

const defaults = ['👍', '✅', '😂']

test('the emoji picked most come first, and the defaults fill up the rest', () => {
  expect(frequentEmoji('ada', defaults)).toEqual(defaults)
  for (const emoji of ['🎉', '😂', '🎉']) countEmoji('ada', emoji)
  expect(frequentEmoji('ada', defaults)).toEqual(['🎉', '😂', '👍'])
  for (const emoji of ['🚀', '👀', '👀', '👀']) countEmoji('ada', emoji)
  expect(frequentEmoji('ada', defaults)).toEqual(['👀', '🎉', '😂'])
})

test('each person has their own counts', () => {
  countEmoji('bob', '🙏')
  expect(frequentEmoji('bob', defaults)).toEqual(['🙏', '👍', '✅'])
  expect(frequentEmoji('eve', defaults)).toEqual(defaults)
})
