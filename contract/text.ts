import * as z from 'zod/mini'
import { fieldProblem } from './errors.ts'
import { limits } from './limits.ts'

/** Rejects NUL and lone surrogates: PostgreSQL stores neither, and one such row would fail its whole batch. */
export const storable = z.refine<string>(
  (text) => text.isWellFormed() && !text.includes('\0'),
  fieldProblem('errors.unstorable'),
)

/** Typed text, trimmed. */
export const typedText = (max: number, min = 1) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(min, fieldProblem('errors.empty')),
      z.maxLength(max, fieldProblem('errors.tooLong', { max })),
      storable,
    )

/** Part of a name to search for. */
export const Query = z.string().check(z.maxLength(limits.query), storable)

/**
 * Invisible characters: control and format characters (including zero-width ones and direction marks), line separators, fillers,
 * and a variation selector that follows no emoji (digits have the Emoji property, but don't count).
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji}(?<![\d#*]))\ufe0f/gu

/**
 * Matches joiners that affect rendering: in an emoji, between two Arabic letters that would otherwise join, and next to the
 * virama of an Indic script (RFC 5892, appendix A). Matches whole emoji, for their tags and selectors. It is a function because
 * bundlers keep unused patterns of this kind, and no page needs it.
 */
const findShown = (text: string) =>
  text.matchAll(
    /\p{RGI_Emoji}|(?<=[[\p{Script=Arabic}&&\p{L}]--[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef]]\p{M}*)\u200c(?=[\u200c\u200d]*\p{M}*[[\p{Script=Arabic}&&\p{L}]--[\u0621\u0674]])|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]|(?<=\u09b0)\u200d(?=\u09cd)/gv,
  )

const JOINERS = /[\u200c\u200d]/g

/** Removes matches from a text, unless they affect how adjacent characters render. */
function without(pattern: RegExp, text: string) {
  let kept = ''
  let from = 0
  for (const { 0: part, index } of findShown(text)) {
    kept += text.slice(from, index).replace(pattern, '') + part
    from = index + part.length
  }
  return kept + text.slice(from).replace(pattern, '')
}

/** A text without invisible characters, so that names that look the same are equal. */
export const shownText = (text: string) => without(UNSEEN, text)

/** A message's text: trimmed, and empty if nothing in it is visible. */
export const contentOf = (text: string) => (text.replace(UNSEEN, '').trim() === '' ? '' : text.trim())

/** Normalization hardly ever shortens a name by more than this factor. */
const MAX_SHRINKING = 8

/**
 * A name or a title: one line, normalized, every character visible. Joiners without effect are dropped: Persian writers type
 * them out of habit, and names must not differ by them.
 */
export const seenText = (max: number, min = 1) =>
  z.pipe(
    z.pipe(
      // Reject hopelessly long input early: finding joiners takes time per character.
      z.string().check(z.maxLength(MAX_SHRINKING * max, fieldProblem('errors.tooLong', { max }))),
      z.transform((text) => without(JOINERS, text.normalize('NFC'))),
    ),
    typedText(max, min).check(z.refine((text) => shownText(text) === text, fieldProblem('errors.invisibleCharacters'))),
  )
