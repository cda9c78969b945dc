export interface Emoji {
  id: string
  native: string
  /** Its short names, the one that is shown first. */
  names: readonly string[]
  /** Other words for it. */
  words: readonly string[]
}

const MOST = 7

/** The emoji that a word means best: by the name itself, by how a name or a part of it begins, then by other words. */
export function emojiLike(word: string, all: readonly Emoji[]): Emoji[] {
  const sought = word.toLowerCase().replaceAll('-', '_')
  const ranked = all.flatMap((emoji) => {
    const rank = rankOf(emoji, sought)
    return rank === undefined ? [] : [{ emoji, rank }]
  })
  // Of the same rank the short names first; the order of the data, which begins with faces, stays otherwise.
  return ranked
    .sort((a, b) => a.rank - b.rank || a.emoji.id.length - b.emoji.id.length)
    .slice(0, MOST)
    .map(({ emoji }) => emoji)
}

function rankOf({ names, words }: Emoji, sought: string) {
  const even = names.map((name) => name.replaceAll('-', '_'))
  if (even.includes(sought)) return 0
  if (even.some((name) => name.startsWith(sought))) return 1
  if (even.some((name) => name.includes(`_${sought}`))) return 2
  if (words.includes(sought)) return 3
  return words.some((it) => it.startsWith(sought)) ? 4 : undefined
}
