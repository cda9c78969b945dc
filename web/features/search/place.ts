import { matchSorter } from 'match-sorter'
import type { ReactNode } from 'react'

/** A conversation or a person one can go to. */
export interface Place {
  id: string
  name: string
  /** What it is also found by: usernames. */
  also: string[]
  /** A few words at the end of its line. */
  note: string
  mark: ReactNode
  go: () => void
}

const MAX_PLACES = 8

/** For the library a word begins after a space only. */
const keys = ['name', ({ name }: Pick<Place, 'name'>) => name.replace(/[-_.]+/g, ' '), 'also']

/**
 * The places that hold every word of the query, the best first: those that begin with it, then those with a word that
 * does, then those that hold it, then those that hold its letters in this order. Equals stay in the order given.
 */
export function bestPlaces<T extends Pick<Place, 'name' | 'also'>>(places: readonly T[], query: string): T[] {
  const words = query.replace(/^[#@]/, '').split(/\s+/).filter(Boolean)
  // The last word sorts last and so counts least: the first one is what a person begins with.
  const fitting = words.reduceRight<T[]>(
    (left, word) => matchSorter(left, word, { keys, baseSort: (a, b) => a.index - b.index }),
    [...places],
  )
  return fitting.slice(0, MAX_PLACES)
}
