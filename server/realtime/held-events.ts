import type { Freshness } from './freshness.ts'

interface Options {
  freshness: Pick<Freshness, 'isFresh' | 'turn'>
  /** Called for each held event. */
  onHeld: () => void
  maxBytes: number
  /** Events were dropped: clients have to refetch. */
  onDropped: () => void
}

export type HeldEvents = ReturnType<typeof createHeldEvents>

/** Overhead per event. */
const OVERHEAD_BYTES = 500

/** Holds events back while this node's view of sessions and memberships may be stale; see `freshness.ts`. */
export function createHeldEvents({ freshness, onHeld, maxBytes, onDropped }: Options) {
  let held: { send: () => void; turn: number; size: number }[] = []
  let bytes = 0

  function clear() {
    held = []
    bytes = 0
  }

  return {
    clear,
    /**
     * Runs it now, or after the held events.
     * @param size of the event, in bytes
     * @param isTransient dropped rather than held
     */
    pass(send: () => void, sizeOf: () => number, isTransient: boolean) {
      if (held.length === 0 && freshness.isFresh()) return send()
      onHeld()
      if (isTransient) return
      const size = OVERHEAD_BYTES + sizeOf()
      held.push({ send, turn: freshness.turn(), size })
      bytes += size
      if (bytes <= maxBytes) return
      clear()
      onDropped()
    },
    /** Call with the turn of a poll that has been applied. */
    release(turn: number) {
      const later = held.findIndex((it) => it.turn > turn)
      const due = held.splice(0, later < 0 ? held.length : later)
      for (const { send, size } of due) {
        bytes -= size
        send()
      }
    },
  }
}
