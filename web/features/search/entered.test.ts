import { expect, test } from 'vitest'
import { type Entered, typedOn, typeOn } from './entered.ts'
import { beginFilter, completeFilter, type Edited } from './split-query.ts'

/** Enter at the caret, written as `|`. */
function enterAt(text: string): Entered {
  const caret = text.indexOf('|')
  const query = text.replace('|', '')
  return { query, at: { text: query, caret }, more: '' }
}

/** The state of a waiting Enter after changes of the text. */
const after = (entered: Entered, ...texts: string[]) =>
  texts.reduce<Entered | undefined>((still, text) => still && typeOn(still, { text, caret: text.length }), entered)

test('typing on after Enter keeps it waiting', () => {
  const entered = after(enterAt('ann|'), 'annh', 'annhe', 'annhello')
  expect(entered).toMatchObject({ query: 'ann', more: 'hello' })
  // A typo after Enter is corrected.
  expect(after(enterAt('ann|'), 'annx', 'ann')).toMatchObject({ query: 'ann', more: '' })
  expect(after(enterAt('an| from:'), 'anx from:')).toMatchObject({ query: 'an from:', more: 'x' })
})

test('changing the text before the caret cancels a waiting Enter', () => {
  expect(after(enterAt('ann|'), 'an')).toBeUndefined()
  expect(after(enterAt('ann|'), 'annx', 'ann', 'an', 'ana')).toBeUndefined()
  expect(after(enterAt('ann|'), '')).toBeUndefined()
  expect(after(enterAt('ann|'), 'bob')).toBeUndefined()
  expect(after(enterAt('an|na'), 'anna x')).toBeUndefined()
})

/** The text once Enter is over. The page last saw the caret at `edited.caret`; arrow keys may have moved it since. */
const left = (entered: Entered, more: string, edited: Edited) => typedOn({ ...entered, more }, edited)

test('if Enter opened nothing, text typed after it is where it was typed', () => {
  const edited = { text: 'an na', caret: 5 }
  expect(left(enterAt('an| na'), 'x', edited)).toEqual({ text: 'anx na', caret: 3 })
  expect(left(enterAt('an na|'), ' too', edited)).toEqual({ text: 'an na too', caret: 9 })
  // Even if a filter before it was removed, which moves the caret to the start.
  expect(left(enterAt('an na|'), ' too', { text: 'an na', caret: 0 })).toEqual({ text: 'an na too', caret: 9 })
})

test('if Enter completed a filter, text typed after it follows the filter', () => {
  const entered = enterAt('lamp has:l|')
  expect(left(entered, 'old', completeFilter(entered.at, 'has:link'))).toEqual({ text: 'lamp has:link old', caret: 17 })
  // The filter has become a chip.
  expect(left(entered, 'old', { text: 'lamp ', caret: 5 })).toEqual({ text: 'lamp old', caret: 8 })
})

test('a filter begun in the meantime follows the text typed after Enter', () => {
  const begun = (entered: Entered, more: string) =>
    beginFilter(left(entered, more, { text: entered.at.text, caret: entered.at.text.length }), 'from')
  expect(begun(enterAt('ann|'), ' hello')).toEqual({ text: 'ann hello from:', caret: 15 })
  expect(begun(enterAt('an| na'), 'x')).toEqual({ text: 'anx from: na', caret: 9 })
})
