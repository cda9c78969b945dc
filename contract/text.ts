import * as z from 'zod/mini'

/**
 * Text a person typed, trimmed. NUL and lone surrogates are refused here because PostgreSQL stores neither,
 * and one such row would fail its whole batch.
 */
export const typedText = (max: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(max, `must have at most ${max} characters`),
    z.refine((text) => text.isWellFormed() && !text.includes('\0'), 'holds characters that cannot be stored'),
  )
