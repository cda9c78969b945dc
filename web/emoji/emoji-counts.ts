import { readJson, saveItem } from '../ui/device/local-storage.ts'

const keyOf = (person: string) => `parley.emoji.${person}.counts`
const countsOf = (person: string) => (readJson(keyOf(person)) ?? {}) as Record<string, number>

/** Counts one more use of an emoji by a user on this device. */
export function countEmoji(person: string, emoji: string) {
  const counts = countsOf(person)
  saveItem(keyOf(person), JSON.stringify({ ...counts, [emoji]: (counts[emoji] ?? 0) + 1 }))
}

/**
 * The emoji that a user picks most, in order, padded with the defaults. Returns as many as there are defaults.
 * @param isUsable whether an emoji still exists
 */
export function frequentEmoji(
  person: string,
  defaults: readonly string[],
  isUsable: (emoji: string) => boolean = () => true,
): string[] {
  const often = Object.entries(countsOf(person))
    .sort(([, a], [, b]) => b - a)
    .map(([emoji]) => emoji)
    .filter(isUsable)
  return [...new Set([...often, ...defaults])].slice(0, defaults.length)
}
