import * as z from 'zod/mini'
import { fieldProblem } from './errors.ts'

const PICTURE = String.raw`\p{Emoji_Presentation}|(?!\p{Emoji_Presentation})\p{Emoji}\uFE0F`
const ONE = String.raw`(?:(?![\p{RI}0-9#*])(?:${PICTURE})|\p{Emoji_Modifier_Base}\p{Emoji_Modifier})`
const REGION = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`
/**
 * The syntax of an emoji, for regular expressions without properties of strings: flags, keycaps, regional flags, and pictograph
 * sequences (Unicode Technical Standard 51, section 1.4). Also matches some sequences that are not emoji.
 */
export const EMOJI = String.raw`^(?:\p{RI}{2}|[0-9#*]\uFE0F\u20E3|${REGION}|${ONE}(?:\u200D${ONE})*)$`

/** One emoji, as a reaction or a status. The longest (families, regional flags) have about 30 code units. */
export const Emoji = z
  .string()
  .check(z.refine((text) => text.length <= 64 && /^\p{RGI_Emoji}$/v.test(text), fieldProblem('errors.notOneEmoji')))
