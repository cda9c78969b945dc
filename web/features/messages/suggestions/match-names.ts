interface Named {
  username?: string
  name: string
}

const apart = /[\s._-]+/

/**
 * How well a word, in lower case, fits a person or a channel: 0 where it is the name, 1 where that begins with it, 2 where
 * a part of one does, 3 where it stands somewhere; nothing where it does not. Also across the parts: `adalo` is Ada Lovelace.
 */
export function rankOf(word: string, { username, name }: Named): number | undefined {
  const all = [username ?? name, name].map((it) => it.toLowerCase())
  if (all.includes(word)) return 0
  if (all.some((it) => it.startsWith(word) || it.replace(/\s+/g, '').startsWith(word))) return 1
  if (all.some((it) => it.split(apart).some((part) => part.startsWith(word)))) return 2
  return all.some((it) => it.includes(word)) ? 3 : undefined
}

/** Those a word fits, the best first; those it fits as well stay in their order. */
export function ranked<T extends Named>(word: string, all: readonly T[]): T[] {
  return all
    .flatMap((it) => {
      const rank = rankOf(word, it)
      return rank === undefined ? [] : [{ it, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ it }) => it)
}
