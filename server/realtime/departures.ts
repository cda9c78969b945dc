interface Reader {
  userId: string
  /** Channels that the user may have lost since the read began. */
  lost: Set<string>
}

export type Departures = ReturnType<typeof createDepartures>

/**
 * Guards against a race: a socket's channels are read from the database, and this node may remove the user from one before the
 * query returns. Code that joins sockets reads through `during`, which reports the channels lost in the meantime.
 */
export function createDepartures() {
  const readers = new Set<Reader>()
  return {
    /** Call in the same tick as sockets leave a channel. @param userId omitted for all non-members */
    note(channelId: string, userId?: string) {
      for (const reader of readers) if (userId === undefined || reader.userId === userId) reader.lost.add(channelId)
    },
    /** @param join must join the sockets synchronously, so that later removals find them in the room */
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
