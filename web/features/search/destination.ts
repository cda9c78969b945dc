import { matchSorter } from 'match-sorter'
import type { ReactNode } from 'react'

/** A conversation or a person to go to. */
export interface Destination {
  id: string
  name: string
  /** Other names that match it: usernames. */
  also: string[]
  /** Shown at the end of its row. */
  note: string
  isUnread?: boolean
  mark: ReactNode
  go: () => void
}

const MAX_DESTINATIONS = 8

/** match-sorter starts a word after a space only, so other separators become spaces. */
const keys = ['name', ({ name }: Pick<Destination, 'name'>) => name.replace(/[-_.]+/g, ' '), 'also']

/**
 * The destinations that match every word of the query, best first: the name starts with it, a word of the name does, the name
 * contains it, the name contains its letters in order. Ties keep their order.
 */
export function bestDestinations<T extends Pick<Destination, 'name' | 'also'>>(
  destinations: readonly T[],
  query: string,
): T[] {
  const words = query.replace(/^[#@]/, '').split(/\s+/).filter(Boolean)
  // The last sort wins, so the first word counts most.
  const fitting = words.reduceRight<T[]>(
    (left, word) => matchSorter(left, word, { keys, baseSort: (a, b) => a.index - b.index }),
    [...destinations],
  )
  return fitting.slice(0, MAX_DESTINATIONS)
}
