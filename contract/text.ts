import * as z from 'zod/mini'

/**
 * Text a person typed, trimmed. NUL and lone surrogates are refused here because PostgreSQL stores neither,
 * and one such row would fail its whole batch.
 */
export const typedText = (max: number, min = 1) =>
  z.string().check(
    z.trim(),
    z.minLength(min, 'must not be empty'),
    z.maxLength(max, `must have at most ${max} characters`),
    z.refine((text) => text.isWellFormed() && !text.includes('\0'), 'holds characters that cannot be stored'),
  )

// Control and format characters (zero-width ones and direction marks among them), line and paragraph separators.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/** A name or a title: one line, in normal form, of which every character shows. */
export const seenText = (max: number, min = 1) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.normalize('NFC')),
    ),
    typedText(max, min).check(z.refine((text) => !UNSEEN.test(text), 'must not hold control or invisible characters')),
  )
