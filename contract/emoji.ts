import * as z from 'zod/mini'

/** One emoji, as a reaction or a status; the longest of them (families, flags of regions) have some 30 code units. */
export const Emoji = z
  .string()
  .check(z.refine((text) => text.length <= 64 && /^\p{RGI_Emoji}$/v.test(text), 'must be one emoji'))
