import { graphemesOf } from './format/graphemes.ts'

const LETTER = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u
/** Georgian capitals are only for texts that consist of nothing else. */
const GEORGIAN_CAPITAL = /[\u1c90-\u1cbf]/

/**
 * The first letter of the first word and, of two, that of the last word; a letter may be several code points. Digits and emoji
 * count as letters. Words without any are skipped, unless there are no others.
 */
export function initialsOf(name: string, count: 1 | 2) {
  const words = name.split(/[\s._-]+/)
  const letters = words.flatMap((word) => graphemesOf(word).find((character) => LETTER.test(character)) ?? [])
  const [first = graphemesOf(name.trim())[0] ?? ''] = letters
  const last = count > 1 && letters.length > 1 ? letters.at(-1) : ''
  return capital(first) + capital(last ?? '')
}

/** Capitals of some letters are several, such as those of 'ß' and 'ﬃ', which stay as they are. */
function capital(letter: string) {
  const upper = letter.toUpperCase()
  return graphemesOf(upper).length > 1 || GEORGIAN_CAPITAL.test(upper) ? letter : upper
}
