/** Counts what is in progress per key, such as a user's uploads. */
export function createKeyCounter() {
  const counts = new Map<string, number>()
  return {
    count: (key: string) => counts.get(key) ?? 0,
    /** Returns the new count. */
    enter(key: string): number {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count
    },
    leave(key: string) {
      const count = (counts.get(key) ?? 0) - 1
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}
