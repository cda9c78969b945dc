interface Reader {
  userId: string
  /** Channels that the user may have lost since the read began. */
  lost: Set<string>
}

export type Departures = ReturnType<typeof createDepartures>

/**
 * Which channels a socket may join is read from the database, and by the time of the answer this node may have removed the
 * user from one. Code that joins sockets reads through `during`, which passes on the channels lost meanwhile.
 */
export function createDepartures() {
  const readers = new Set<Reader>()
  return {
    /** Call in the same tick as sockets leave a channel. @param userId the user; without one, everyone who is no member */
    note(channelId: string, userId?: string) {
      for (const reader of readers) if (userId === undefined || reader.userId === userId) reader.lost.add(channelId)
    },
    /** @param join joins the sockets synchronously: whatever is lost afterwards removes them as usual */
    async during<T, R>(userId: string, read: () => Promise<T>, join: (found: T, lost: ReadonlySet<string>) => R) {
      const reader: Reader = { userId, lost: new Set() }
      readers.add(reader)
      try {
        return join(await read(), reader.lost)
      } finally {
        readers.delete(reader)
      }
    },
  }
}
