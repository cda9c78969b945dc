/** Waiting notices as JSON, bounded in bytes. */
export function createSendQueue(maxBytes: number) {
  let items: { json: string; bytes: number }[] = []
  let first = 0
  let bytes = 0

  function shift() {
    const item = items[first++]
    if (!item) return undefined
    bytes -= item.bytes
    // Shifting the array for each notice would be slow for long queues.
    if (first === items.length || first > 1000) {
      items = items.slice(first)
      first = 0
    }
    return item
  }

  return {
    bytes: () => bytes,
    isEmpty: () => first === items.length,
    /** Returns how many of the oldest notices were dropped. */
    push(json: string): number {
      const item = { json, bytes: Buffer.byteLength(json) }
      items.push(item)
      bytes += item.bytes
      let dropped = 0
      for (; bytes > maxBytes; dropped++) shift()
      return dropped
    },
    /** Removes the oldest notices up to `limit` bytes, at least one if there is any, and returns them as a JSON array. */
    take(limit: number) {
      const batch: string[] = []
      for (let taken = 0; ; ) {
        const next = items[first]
        if (!next || (batch.length > 0 && taken + next.bytes > limit)) break
        taken += next.bytes
        batch.push(next.json)
        shift()
      }
      return { count: batch.length, json: `[${batch.join()}]` }
    },
    clear() {
      items = []
      first = 0
      bytes = 0
    },
  }
}
