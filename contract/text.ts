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
 * lines, fillers, and a variation selector that follows no emoji.
 */
export const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})\ufe0f/gu

/** What a message says: trimmed, and empty where nothing of it shows. */
export const contentOf = (text: string) => (text.replace(UNSEEN, '').trim() === '' ? '' : text.trim())

/** A name or a title: one line, in normal form, of which every character shows. */
export const seenText = (max: number, min = 1) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.normalize('NFC')),
    ),
    typedText(max, min).check(
      z.refine((text) => text.search(UNSEEN) < 0, 'must not hold control or invisible characters'),
    ),
  )
