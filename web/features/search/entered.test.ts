import { expect, test } from 'vitest'
import { type Entered, typeOn, withMore } from './entered.ts'

/** Enter at the caret, written as `|`. */
function enterAt(text: string): Entered {
  const caret = text.indexOf('|')
  const query = text.replace('|', '')
  return { query, at: { text: query, caret }, more: '' }
}

/** What becomes of Enter when the text changes step by step. */
const after = (entered: Entered, ...texts: string[]) =>
  texts.reduce<Entered | undefined>((still, text) => still && typeOn(still, { text, caret: text.length }), entered)

test('whoever types on after Enter still gets what it was pressed for', () => {
  const entered = after(enterAt('ann|'), 'annh', 'annhe', 'annhello')
  expect(entered).toMatchObject({ query: 'ann', more: 'hello' })
  // A mistake in what was typed on is corrected.
  expect(after(enterAt('ann|'), 'annx', 'ann')).toMatchObject({ query: 'ann', more: '' })
  expect(after(enterAt('an| from:'), 'anx from:')).toMatchObject({ query: 'an from:', more: 'x' })
})

test('whoever changes the text before Enter wants something else', () => {
  expect(after(enterAt('ann|'), 'an')).toBeUndefined()
  expect(after(enterAt('ann|'), 'annx', 'ann', 'an', 'ana')).toBeUndefined()
  expect(after(enterAt('ann|'), '')).toBeUndefined()
  expect(after(enterAt('ann|'), 'bob')).toBeUndefined()
  expect(after(enterAt('an|na'), 'anna x')).toBeUndefined()
})

test('what was typed on goes behind the caret', () => {
  expect(withMore({ text: 'lamp ', caret: 5 }, 'old')).toEqual({ text: 'lamp old', caret: 8 })
  expect(withMore({ text: 'at lamp', caret: 2 }, ' my')).toEqual({ text: 'at my lamp', caret: 5 })
})
