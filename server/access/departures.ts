interface Reader {
  userId: string
  /** Channels that they may have lost since the reading began. */
  lost: Set<string>
}

export type Departures = ReturnType<typeof openDepartures>

/**
 * Which channels a socket may hear is read from the database, and what was read may be older than what this node has done
 * since. Whoever lets a socket in by such an answer reads it here, and hears which channels were lost meanwhile.
 */
export function openDepartures() {
  const readers = new Set<Reader>()
  return {
    /** Call it where sockets are put out of a channel, in the same turn. @param userId whose; all strangers' without one */
    note(channelId: string, userId?: string) {
      for (const reader of readers) if (userId === undefined || reader.userId === userId) reader.lost.add(channelId)
    },
    /** @param act lets in, in the same turn: what was lost afterwards is put out as usual */
    async during<T, R>(userId: string, read: () => Promise<T>, act: (found: T, lost: ReadonlySet<string>) => R) {
      const reader: Reader = { userId, lost: new Set() }
      readers.add(reader)
      try {
        return act(await read(), reader.lost)
      } finally {
        readers.delete(reader)
      }
    },
  }
}
