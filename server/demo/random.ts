/** Repeatable randomness: the same seed gives the same workspace. */
export interface Dice {
  /** From 0 (inclusive) to 1 (exclusive). */
  roll(): number
  /** An integer from `min` to `max`, inclusive. */
  between(min: number, max: number): number
  pick<T>(from: readonly T[]): T
  /** All values, in random order. */
  shuffle<T>(values: readonly T[]): T[]
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0
  // mulberry32: good enough here.
  function roll() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (min: number, max: number) => min + Math.floor(roll() * (max - min + 1))
  function shuffle<T>(values: readonly T[]) {
    const all = [...values]
    for (let i = all.length - 1; i > 0; i--) {
      const j = between(0, i)
      ;[all[i], all[j]] = [all[j] as T, all[i] as T]
    }
    return all
  }
  return { roll, between, shuffle, pick: (from) => from[between(0, from.length - 1)] as never }
}
