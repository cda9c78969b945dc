import { foldWithPlaces } from '#contract/fold'
import type { Range } from './markup.ts'

export interface Match {
  from: number
  to: number
  /** The folded term that it matches. */
  term: string
  /** Whether it starts and ends at word boundaries. */
  isWord: boolean
}

/** For all terms together, because a message may be full of them. */
const MAX_MATCHES = 1000

/**
 * The first matches of each folded term in a text, in order. If a term occurs as a word, its matches inside other words are
 * omitted: 'the' then doesn't match in 'other'.
 */
export function matchesIn(text: string, terms: readonly string[]): Match[] {
  const { folded, places } = foldWithPlaces(text)
  const max = Math.ceil(MAX_MATCHES / terms.length)
  const found = terms.flatMap((term) => {
    const matches = matchesOf(term, text, folded, places, max)
    const words = matches.filter(({ isWord }) => isWord)
    return words.length > 0 ? words : matches
  })
  return found.sort((a, b) => a.from - b.from || b.to - a.to)
}

function matchesOf(term: string, text: string, folded: string, places: readonly number[], max: number): Match[] {
  const found: Match[] = []
  for (let at = folded.indexOf(term); at >= 0 && found.length < max; ) {
    // Extend the match to the end of its last grapheme cluster.
    let next = at + term.length
    while (next < folded.length && places[next] === places[next - 1]) next++
    const [from, to] = [places[at] as number, places[next] as number]
    found.push({ from, to, term, isWord: !isInsideWord(text, from) && !isInsideWord(text, to) })
    at = folded.indexOf(term, at + term.length)
  }
  return found
}

/** Merges overlapping ranges of an ordered list. */
export function joined(ranges: readonly Range[]): [number, number][] {
  const result: [number, number][] = []
  for (const [from, to] of ranges) {
    const last = result.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

/** In scripts that don't separate words by spaces, every position counts as a word boundary. */
const INSIDE_WORD =
  /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{N}][\p{M}\p{L}\p{N}]/u

function isInsideWord(text: string, at: number) {
  const before = characterBefore(text, at)
  return before !== '' && INSIDE_WORD.test(before + text.slice(at, at + 2))
}

function characterBefore(text: string, at: number) {
  const isPair = /[\udc00-\udfff]/.test(text[at - 1] ?? '')
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at)
}
