export interface Emoji {
  id: string
  native: string
  /** Short names; the first one is shown. */
  names: readonly string[]
  /** Other search terms. */
  words: readonly string[]
  /** Whether it is one of the workspace. */
  isCustom?: boolean
}

const MAX_RESULTS = 7

/** The best matches: whole names first, then beginnings of names and of their parts, then other search terms. */
export function matchEmoji(word: string, all: readonly Emoji[]): Emoji[] {
  const sought = word.toLowerCase().replaceAll('-', '_')
  const ranked = all.flatMap((emoji) => {
    const rank = rankOf(emoji, sought)
    return rank === undefined ? [] : [{ emoji, rank }]
  })
  // Within a rank, those of the workspace come first, then short names; otherwise the data's order stays, which begins with faces.
  return ranked
    .sort((a, b) => a.rank - b.rank || byKind(a.emoji, b.emoji) || a.emoji.id.length - b.emoji.id.length)
    .slice(0, MAX_RESULTS)
    .map(({ emoji }) => emoji)
}

const byKind = (a: Emoji, b: Emoji) => Number(b.isCustom ?? false) - Number(a.isCustom ?? false)

function rankOf({ names, words }: Emoji, sought: string) {
  const even = names.map((name) => name.replaceAll('-', '_'))
  if (even.includes(sought)) return 0
  if (even.some((name) => name.startsWith(sought))) return 1
  if (even.some((name) => name.includes(`_${sought}`))) return 2
  if (words.includes(sought)) return 3
  return words.some((term) => term.startsWith(sought)) ? 4 : undefined
}
