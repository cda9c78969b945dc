import { expect, test } from 'vitest'
import { aMessage } from '../../../test/a-message.ts'
import { firstShownSeq, shownFrom } from './shown-replies.ts'

const replies = [1, 2, 3, 4, 5].map((seq) => aMessage(seq, { deletedAt: seq === 4 ? 'then' : null }))

test('the last two replies that were not deleted are shown', () => {
  expect(firstShownSeq(replies)).toBe(3)
  expect(shownFrom(replies, 3).map(({ seq }) => seq)).toEqual([3, 5])
  expect(firstShownSeq(replies.slice(3))).toBe(5)
  expect(firstShownSeq(replies.slice(3, 4))).toBeUndefined()
  expect(firstShownSeq([])).toBeUndefined()
})
