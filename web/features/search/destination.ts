import type { ReactNode } from 'react'
import { remove as removeAccents } from 'remove-accents'

/** A conversation or a person to go to. */
export interface Destination {
  id: string
  name: string
  /** Other names that match it: usernames. */
  also: string[]
  /** Shown at the end of its row. */
  note: string
  isUnread?: boolean
  /** The number of notifications, shown instead of the note. */
  badge?: ReactNode
  mark: ReactNode
  go: () => void
}

const MAX_DESTINATIONS = 8

/** An item with its names prepared for comparison, because thousands are compared at each key press. */
export interface Candidate<T> {
  item: T
  /** Its name, then its other names: without accents and case, and with spaces for other separators. */
  names: { whole: string; spaced: string }[]
}

export const candidate = <T>(item: T, name: string, also: readonly string[]): Candidate<T> => ({
  item,
  names: [name, ...also].map((text) => {
    const whole = fold(text)
    return { whole, spaced: whole.replace(/[-_.]+/g, ' ') }
  }),
})

const fold = (text: string) => (/^[ -~]*$/.test(text) ? text : removeAccents(text)).toLowerCase()

/** The best of the candidates that match. */
export const bestMatches = <T>(candidates: readonly Candidate<T>[], query: string): T[] =>
  matchesOf(candidates, query).slice(0, MAX_DESTINATIONS)

/**
 * The candidates that match every word of the query, best first: the name starts with it, a word of the name does, the name
 * contains it, the name contains its letters in order. The first word counts most. Ties keep their order.
 */
export function matchesOf<T>(candidates: readonly Candidate<T>[], query: string): T[] {
  const words = fold(query.replace(/^[#@]/, '')).split(/\s+/).filter(Boolean)
  const fitting: { item: T; ranks: number[] }[] = []
  for (const { item, names } of candidates) {
    const ranks = ranksOf(words, names)
    if (ranks) fitting.push({ item, ranks })
  }
  return fitting.sort((a, b) => compareRanks(a.ranks, b.ranks)).map(({ item }) => item)
}

/** How well each word matches the best of the names, lower is better; undefined if one matches none. */
function ranksOf(words: readonly string[], names: Candidate<unknown>['names']) {
  const ranks: number[] = []
  for (const word of words) {
    // Other names rank slightly lower.
    const rank = Math.min(...names.map((name, at) => rankOf(word, name) + (at > 0 ? 0.5 : 0)))
    if (rank === Number.POSITIVE_INFINITY) return undefined
    ranks.push(rank)
  }
  return ranks
}

function rankOf(word: string, { whole, spaced }: Candidate<unknown>['names'][number]) {
  if (whole === word) return 0
  if (whole.startsWith(word)) return 1
  if (spaced.includes(` ${word}`)) return 2
  if (whole.includes(word)) return 3
  const spread = spreadOf(word, whole)
  // Letters close to each other come first.
  return spread === undefined ? Number.POSITIVE_INFINITY : 4.5 - 0.5 / spread
}

/** The number of characters over which a word's letters are spread in a text; undefined if they aren't there in order. */
function spreadOf(word: string, text: string) {
  let first = -1
  let at = -1
  for (const letter of word) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return undefined
    if (first < 0) first = at
  }
  return at - first + 1
}

function compareRanks(a: readonly number[], b: readonly number[]) {
  const differing = a.findIndex((rank, word) => rank !== b[word])
  return differing < 0 ? 0 : (a[differing] as number) - (b[differing] as number)
}
