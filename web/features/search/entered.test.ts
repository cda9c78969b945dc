import { expect, test } from 'vitest'
import { type Entered, typedOn, typeOn } from './entered.ts'
import { beginFilter, completeFilter, type Edited } from './split-query.ts'

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

/** What is left once Enter is over: the caret is where the page last saw it, which is not where the arrow keys went. */
const left = (entered: Entered, more: string, edited: Edited) => typedOn({ ...entered, more }, edited)

test('if Enter opened nothing, what was typed on is where it was typed', () => {
  const edited = { text: 'an na', caret: 5 }
  expect(left(enterAt('an| na'), 'x', edited)).toEqual({ text: 'anx na', caret: 3 })
  expect(left(enterAt('an na|'), ' too', edited)).toEqual({ text: 'an na too', caret: 9 })
  // Also after a filter before it was removed, which moves the caret to the start.
  expect(left(enterAt('an na|'), ' too', { text: 'an na', caret: 0 })).toEqual({ text: 'an na too', caret: 9 })
})

test('if Enter completed a filter, what was typed on goes behind it', () => {
  const entered = enterAt('lamp has:l|')
  expect(left(entered, 'old', completeFilter(entered.at, 'has:link'))).toEqual({ text: 'lamp has:link old', caret: 17 })
  // The filter has become a chip.
  expect(left(entered, 'old', { text: 'lamp ', caret: 5 })).toEqual({ text: 'lamp old', caret: 8 })
})

test('a filter that is begun meanwhile begins behind what was typed on', () => {
  const begun = (entered: Entered, more: string) =>
    beginFilter(left(entered, more, { text: entered.at.text, caret: entered.at.text.length }), 'from')
  expect(begun(enterAt('ann|'), ' hello')).toEqual({ text: 'ann hello from:', caret: 15 })
  expect(begun(enterAt('an| na'), 'x')).toEqual({ text: 'anx from: na', caret: 9 })
})
