import { graphemesOf } from './format/graphemes.ts'

/** The first letter of the first word and, of two, that of the last word; a letter may be several code points. */
export function initialsOf(name: string, count: 1 | 2) {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const first = (word: string | undefined) => graphemesOf(word ?? '')[0] ?? ''
  return (first(words[0]) + (count > 1 && words.length > 1 ? first(words.at(-1)) : '')).toUpperCase()
}
