import { createKeywordMap, foldKeyword, wordsOf } from '#contract/keywords'

/** Searches for my keywords. Lazy-loaded: most people have none. */
export function searchFor(keywords: readonly string[]) {
  const map = createKeywordMap<string>()
  for (const word of keywords) map.set(foldKeyword(word), word)
  return {
    /** The first keyword in a message's content, as I typed it. */
    firstIn: (content: string) => map.in(wordsOf(content))[0],
    placesIn: map.placesIn,
  }
}
