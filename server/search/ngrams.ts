/** Enough keys to be rare in combination, few enough to be cheap. */
const MAX_QUERY_KEYS = 10

/**
 * Adds a text's index keys: each sequence of one, two and three code units, hashed to a number. Collisions are harmless, because
 * every candidate is compared with the actual text.
 */
export function addGrams(text: string, to: Set<number>) {
  let [first, second] = [-1, -1]
  for (let i = 0; i < text.length; i++) {
    const third = text.charCodeAt(i)
    to.add(third)
    if (second >= 0) to.add(pair(second, third))
    if (first >= 0) to.add(triple(first, second, third))
    first = second
    second = third
  }
}

/** Keys of every text that contains all of these folded terms; a sample if there are many. */
export function gramsOf(terms: readonly string[]): number[] {
  const all = new Set<number>()
  for (const term of terms) {
    if (term.length === 1) all.add(term.charCodeAt(0))
    if (term.length === 2) all.add(pair(term.charCodeAt(0), term.charCodeAt(1)))
    for (let i = 2; i < term.length; i++)
      all.add(triple(term.charCodeAt(i - 2), term.charCodeAt(i - 1), term.charCodeAt(i)))
  }
  const keys = [...all]
  const step = Math.max(1, keys.length / MAX_QUERY_KEYS)
  return keys.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
}

/** The key of a fact about a message: its channel, its author, or that it contains a link. */
export function factKey(kind: 'channel' | 'author' | 'link', value = ''): number {
  let key = kind.charCodeAt(0)
  for (let i = 0; i < value.length; i++) key = Math.imul(key ^ value.charCodeAt(i), 0x01000193)
  return mixed(key)
}

const pair = (a: number, b: number) => mixed(Math.imul(a, 0x9e3779b1) ^ b)
const triple = (a: number, b: number, c: number) => mixed(Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ c)

/** Spreads a key over all 32 bits. */
function mixed(key: number): number {
  const high = Math.imul(key ^ (key >>> 15), 0x2c1b3c6d)
  const low = Math.imul(high ^ (high >>> 12), 0x297a2d39)
  return low ^ (low >>> 15)
}
