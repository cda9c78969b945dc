import { foldWithPlaces } from '../text/fold.ts'

/** Two lines, and a little more for wide screens. */
const MAX_SNIPPET_CHARACTERS = 300
const CHARACTERS_BEFORE_MATCH = 60
const MAX_MATCHES = 50

interface Snippet {
  content: string
  matches: [number, number][]
}

/** A short text, or the part of a long one around the first match, with the positions of the folded terms in it. */
export function snippetOf(text: string, terms: readonly string[]): Snippet {
  const found = matchesIn(text, terms)
  if (text.length <= MAX_SNIPPET_CHARACTERS) return { content: text, matches: found.slice(0, MAX_MATCHES) }
  const first = found[0]?.[0] ?? 0
  const start = boundary(
    text,
    first + MAX_SNIPPET_CHARACTERS - CHARACTERS_BEFORE_MATCH > text.length
      ? text.length - MAX_SNIPPET_CHARACTERS
      : Math.max(0, first - CHARACTERS_BEFORE_MATCH),
  )
  const end = boundary(text, Math.min(text.length, start + MAX_SNIPPET_CHARACTERS))
  const lead = start > 0 ? '…' : ''
  const at = (place: number) => Math.min(end, place) - start + lead.length
  return {
    content: `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`,
    matches: found
      .filter(([from, to]) => from < end && to > start)
      .slice(0, MAX_MATCHES)
      .map(([from, to]) => [Math.max(lead.length, at(from)), at(to)]),
  }
}

/** Sorted, without overlaps. */
function matchesIn(text: string, terms: readonly string[]): [number, number][] {
  const { folded, places } = foldWithPlaces(text)
  const found: [number, number][] = []
  for (const term of terms) {
    for (let at = folded.indexOf(term); at >= 0 && found.length < 1000; at = folded.indexOf(term, at + term.length)) {
      const from = places[at] as number
      // To the end of the cluster in which the match ends.
      let next = at + term.length
      while (next < folded.length && places[next] === places[next - 1]) next++
      found.push([from, places[next] as number])
    }
  }
  found.sort(([a, b], [c, d]) => a - c || b - d)
  const merged: [number, number][] = []
  for (const [from, to] of found) {
    const last = merged.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** Avoids cutting between the halves of a surrogate pair. */
const boundary = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)
