/** Emoji by a product's names, without colons. */
export type EmojiTable = ReadonlyMap<string, string>

/** @param table emoji, each followed by its names */
export function emojiTable(table: string): EmojiTable {
  const names = new Map<string, string>()
  let emoji = ''
  for (const word of table.trim().split(/\s+/)) {
    if (/^[a-z0-9_+'-]+$/.test(word)) names.set(word, emoji)
    else emoji = word
  }
  return names
}
