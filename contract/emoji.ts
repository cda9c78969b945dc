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

/** The longest (families, regional flags) have about 30 code units. */
const isUnicodeEmoji = (text: string) => text.length <= 64 && /^\p{RGI_Emoji}$/v.test(text)

/** One emoji of Unicode. */
export const Emoji = z.string().check(z.refine(isUnicodeEmoji, fieldProblem('errors.notOneEmoji')))

/** Letters without capitals, digits, and `_`, `-` and `+`, as in other products. */
const NAME = String.raw`[\p{Ll}\p{Lo}\p{Lm}\p{N}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}_+\-]{1,31}`
/** More marks on one letter would cover the lines around it. */
const TOO_MANY_MARKS = /\p{M}{4}/u
const isEmojiName = (text: string) => new RegExp(`^${NAME}$`, 'v').test(text) && !TOO_MANY_MARKS.test(text)

/** The name of an emoji of the workspace, without colons. In any case and form, it becomes lower case, composed. */
export const EmojiName = z
  .string()
  .check(z.toLowerCase(), z.normalize('NFC'), z.refine(isEmojiName, fieldProblem('errors.notAnEmojiName')))

/** As names are stored and compared. */
export const foldEmojiName = (name: string) => name.normalize('NFC').toLowerCase()

/** The name in `:name:`; undefined if the text isn't one emoji of the workspace. */
export function customName(text: string): string | undefined {
  const name = text.startsWith(':') && text.endsWith(':') ? foldEmojiName(text.slice(1, -1)) : ''
  return isEmojiName(name) ? name : undefined
}

/** One emoji, as a reaction or a status: of Unicode, or `:name:`. */
export const AnyEmoji = z
  .string()
  .check(z.refine((text) => isUnicodeEmoji(text) || customName(text) !== undefined, fieldProblem('errors.notOneEmoji')))

/** The syntax of `AnyEmoji`, like that of `EMOJI`. */
export const ANY_EMOJI = `${EMOJI}|^:${NAME}:$`

/** Some scripts put no spaces between words. */
const NO_START = String.raw`[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]]|\/`
/** Finds what may be emoji of the workspace in a text, with their names: not within a word, a time or a path. */
export const CUSTOM_EMOJI = new RegExp(`(?<!${NO_START}):(${NAME}):(?!\\p{N})`, 'giv')
