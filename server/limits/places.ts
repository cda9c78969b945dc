/** Counts what each key has under way; forgets a key that has nothing. */
export function openPlaces() {
  const held = new Map<string, number>()
  return {
    count: (key: string) => held.get(key) ?? 0,
    /** Takes a place, and answers how many the key holds with it. */
    enter(key: string): number {
      const count = (held.get(key) ?? 0) + 1
      held.set(key, count)
      return count
    },
    leave(key: string) {
      const count = (held.get(key) ?? 0) - 1
      if (count > 0) held.set(key, count)
      else held.delete(key)
    },
  }
}
