import { fold, foldWithPlaces } from './fold.ts'
import { limits } from './limits.ts'
import { withoutQuotes } from './quotes.ts'

/** The joiner of emoji, which folding would remove: it keeps two of them from being found in a third. */
const JOINER = '\ue000'
const JOINED = /(?<=[\p{ExtPict}\p{EMod}]\ufe0f?)\u200d/gv
/**
 * A word, an emoji, or one other character. Some scripts put no spaces between words, so each of their characters counts as a word.
 */
const TOKEN =
  /[[\p{L}\p{M}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+|\p{ExtPict}\p{EMod}?(?:\ue000\p{ExtPict}\p{EMod}?)*|\p{RI}{2}|./gsv
const ADDRESSES = /https?:\/\/\S+/gi
/** Folding can make a text longer. */
const MAX_CHARACTERS = 2 * limits.messageContent
/** Of keywords with the same first word: far more than in any text that was not made to take time. */
const MAX_COMPARISONS = 1000

const joined = (text: string) => text.replace(JOINED, JOINER)

/** Two keywords with the same result are the same. */
export const foldKeyword = (text: string) => fold(joined(text)).trim()

/** What a message says itself: nothing that it quotes, and no addresses. */
export const wordsOf = (content: string) => withoutQuotes(content).replace(ADDRESSES, ' ')

const tokensOf = (folded: string) => folded.match(TOKEN) ?? []

/** Keywords to search for, with what they stand for. */
export function createKeywordMap<Value>() {
  const values = new Map<string, Value>()
  /** By the first token of the words: their lengths, and how many words have each. */
  const lengths = new Map<string, Map<number, number>>()

  function count(word: string, by: 1 | -1) {
    const [first = ''] = tokensOf(word)
    const its = lengths.get(first) ?? new Map<number, number>()
    const left = (its.get(word.length) ?? 0) + by
    if (left > 0) lengths.set(first, its.set(word.length, left))
    else if (its.delete(word.length) && its.size === 0) lengths.delete(first)
  }

  /** The keywords in a folded text, each as a whole word or phrase. */
  function find(folded: string) {
    const tokens = tokensOf(folded.slice(0, MAX_CHARACTERS))
    const ends = new Set<number>()
    let end = 0
    for (const token of tokens) {
      end += token.length
      ends.add(end)
    }
    const found: { word: string; value: Value; start: number }[] = []
    const comparisons = new Map<string, number>()
    let start = 0
    for (const token of tokens) {
      const its = lengths.get(token) ?? new Map<number, number>()
      const made = (comparisons.get(token) ?? 0) + its.size
      if (its.size > 0) comparisons.set(token, made)
      for (const length of made > MAX_COMPARISONS ? [] : its.keys()) {
        const word = folded.slice(start, start + length)
        const value = ends.has(start + length) ? values.get(word) : undefined
        if (value !== undefined) found.push({ word, value, start })
      }
      start += token.length
    }
    return found
  }

  return {
    get: (word: string) => values.get(word),
    /** @param word folded */
    set(word: string, value: Value) {
      if (!values.has(word)) count(word, 1)
      values.set(word, value)
    },
    delete(word: string) {
      if (values.delete(word)) count(word, -1)
    },
    /** What the keywords in a text stand for, in their order. */
    in: (text: string): Value[] => (values.size === 0 ? [] : find(fold(joined(text))).map(({ value }) => value)),
    /** The places of the keywords in a text. Leaves out parts of a character, such as of '½'. */
    placesIn(text: string): { start: number; end: number }[] {
      if (values.size === 0) return []
      const { folded, places } = foldWithPlaces(joined(text))
      return find(folded).flatMap(({ word, start }) => {
        const end = start + word.length
        const isWhole = places[start - 1] !== places[start] && places[end - 1] !== places[end]
        return isWhole ? [{ start: places[start] as number, end: places[end] as number }] : []
      })
    },
  }
}
