/**
 * Options for an LRUCache with at most this many entries. Its own `max` would allocate memory for all of them up front.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
