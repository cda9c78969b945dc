/**
 * Options of an LRUCache with so many entries at most. With its own `max` it takes the memory of all of them when it is
 * made.
 */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
