import { expect, test } from 'vitest'
import { cutText, graphemesOf } from './graphemes.ts'

test('text is cut between graphemes', () => {
  expect(graphemesOf('e\u0301👩‍👩‍👧한')).toEqual(['e\u0301', '👩‍👩‍👧', '한'])
  expect(cutText('👩‍👩‍👧👩‍👩‍👧', 2)).toBe('👩‍👩‍👧👩‍👩‍👧')
  expect(cutText('👩‍👩‍👧 👩‍👩‍👧 x', 3)).toBe('👩‍👩‍👧…')
})
