import * as z from 'zod/mini'
import { limits } from './limits.ts'

/** NUL and lone surrogates are refused at the edge: PostgreSQL takes neither, and one such row would fail its whole batch. */
export const storable = z.refine<string>(
  (text) => text.isWellFormed() && !text.includes('\0'),
  'holds characters that cannot be stored',
)

/** Text a person typed, trimmed. */
export const typedText = (max: number, min = 1) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(min, 'must not be empty'),
      z.maxLength(max, `must have at most ${max} characters`),
      storable,
    )

/** A part of a name that is looked for. */
export const Query = z.string().check(z.maxLength(limits.query), storable)

/**
 * What does not show: control and format characters (zero-width ones and direction marks among them), separators of
 * lines, fillers, and a variation selector that follows no emoji (a digit is one by its property only).
 */
export const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji}(?<![\d#*]))\ufe0f/gu

/**
 * Finds joiners that show: of an emoji, between two Arabic letters that would else be drawn joined, and beside the virama
 * of an Indic script (as RFC 5892, appendix A, has it). An emoji is found whole, for its tags and selectors. A function,
 * because a build keeps patterns of this kind for their own sake, and no page needs it.
 */
const findShown = (text: string) =>
  text.matchAll(
    /\p{RGI_Emoji}|(?<=[[\p{Script=Arabic}&&\p{L}]--[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef]]\p{M}*)\u200c(?=[\u200c\u200d]*\p{M}*[[\p{Script=Arabic}&&\p{L}]--[\u0621\u0674]])|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]|(?<=\u09b0)\u200d(?=\u09cd)/gv,
  )

const JOINERS = /[\u200c\u200d]/g

/** Takes out of a text what matches and is not part of how its neighbours show. */
function without(pattern: RegExp, text: string) {
  let kept = ''
  let from = 0
  for (const { 0: part, index } of findShown(text)) {
    kept += text.slice(from, index).replace(pattern, '') + part
    from = index + part.length
  }
  return kept + text.slice(from).replace(pattern, '')
}

/** A text without what does not show. Names that look alike because of it are one name then. */
export const shownText = (text: string) => without(UNSEEN, text)

/** What a message says: trimmed, and empty where nothing of it shows. */
export const contentOf = (text: string) => (text.replace(UNSEEN, '').trim() === '' ? '' : text.trim())

/** A name has more characters before it is in normal form and its joiners are dropped; hardly ever so many times as many. */
const MAX_SHRINKING = 8

/**
 * A name or a title: one line, in normal form, of which every character shows. A joiner that joins nothing is dropped: it
 * is typed out of habit in Persian, and no name may differ from another by it.
 */
export const seenText = (max: number, min = 1) =>
  z.pipe(
    z.pipe(
      // What cannot become short enough is refused as it came: to look for joiners takes time for each character.
      z.string().check(z.maxLength(MAX_SHRINKING * max, `must have at most ${max} characters`)),
      z.transform((text) => without(JOINERS, text.normalize('NFC'))),
    ),
    typedText(max, min).check(
      z.refine((text) => shownText(text) === text, 'must not hold control or invisible characters'),
    ),
  )
