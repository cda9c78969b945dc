interface Options {
  /** Whether this node knows who may receive what. */
  isFresh: () => boolean
  /** Called with every event that is held. */
  onHeld: () => void
  maxBytes: number
  /** Events were dropped: clients have to look for themselves. */
  onDropped: () => void
}

/** What an event takes besides its bytes. */
const OVERHEAD_BYTES = 500

/** Holds events while this node may not know whose session or membership has ended; see `changes/freshness.ts`. */
export function createHeldEvents({ isFresh, onHeld, maxBytes, onDropped }: Options) {
  let held: (() => void)[] = []
  let bytes = 0

  function clear() {
    held = []
    bytes = 0
  }

  return {
    clear,
    /** Runs it now, or after the ones that wait. @param size of the event, in bytes */
    pass(send: () => void, size: () => number) {
      if (held.length === 0 && isFresh()) return send()
      held.push(send)
      bytes += OVERHEAD_BYTES + size()
      if (bytes > maxBytes) {
        clear()
        onDropped()
      }
      return onHeld()
    },
    release() {
      const sends = held
      clear()
      for (const send of sends) send()
    },
  }
}
