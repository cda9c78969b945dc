/** The size limit of all records together. */
const MAX_BYTES = 3_000_000
/** A record larger than this is not kept. */
export const MAX_RECORD_BYTES = 1_500_000

interface Size {
  bytes: number
  /** Unix time in milliseconds. */
  usedAt: number
}

/** The records to remove so that the rest fits: the least recently used ones. */
export function evicted(
  records: readonly (readonly [name: string, Size])[],
  maxBytes = MAX_BYTES,
  now = Date.now(),
): string[] {
  // A time in the future is from a wrong clock; such a record would never be the oldest.
  const usedAt = (record: Size) => (record.usedAt > now ? 0 : record.usedAt)
  let bytes = 0
  return records
    .toSorted(([, a], [, b]) => usedAt(b) - usedAt(a))
    .filter(([, record]) => {
      bytes += record.bytes
      return bytes > maxBytes
    })
    .map(([name]) => name)
}
