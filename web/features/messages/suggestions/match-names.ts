interface Named {
  username?: string
  name: string
}

const SEPARATORS = /[\s._-]+/

/**
 * How well a lower-case word matches a person or channel: 0 for the whole name, 1 for its beginning (spaces ignored, so
 * `adalo` matches Ada Lovelace), 2 for the beginning of a part, 3 for anywhere; undefined if it does not match.
 */
export function rankOf(word: string, { username, name }: Named): number | undefined {
  const all = [username ?? name, name].map((text) => text.toLowerCase())
  if (all.includes(word)) return 0
  if (all.some((text) => text.startsWith(word) || text.replace(/\s+/g, '').startsWith(word))) return 1
  if (all.some((text) => text.split(SEPARATORS).some((part) => part.startsWith(word)))) return 2
  return all.some((text) => text.includes(word)) ? 3 : undefined
}

/** The matches of a word, best first; equal ones keep their order. */
export function matchNames<T extends Named>(word: string, all: readonly T[]): T[] {
  return all
    .flatMap((item) => {
      const rank = rankOf(word, item)
      return rank === undefined ? [] : [{ item, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
