/** How long an event waits for its predecessors. */
const PREDECESSOR_GRACE_MS = 100
const MAX_WAITING_EVENTS = 100

interface Waiting {
  rev: number
  apply: () => void
}

/**
 * Applies the events of each channel in the order of their revisions. If several nodes write to a channel, an event may
 * arrive before its predecessor, which came from another node; without this, each of the channel's members would refetch it.
 * @param heldRev the channel's revision as cached, undefined for one whose events do not all arrive
 */
export function createEventOrder(heldRev: (channelId: string) => number | undefined) {
  const waiting = new Map<string, Waiting[]>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  const isEarly = (channelId: string, rev: number) => rev > (heldRev(channelId) ?? Number.POSITIVE_INFINITY) + 1

  function receive(channelId: string, rev: number, apply: () => void) {
    if (isEarly(channelId, rev)) return enqueue(channelId, { rev, apply })
    apply()
    release(channelId)
  }

  function enqueue(channelId: string, event: Waiting) {
    const events = [...(waiting.get(channelId) ?? []), event].sort((a, b) => a.rev - b.rev)
    waiting.set(channelId, events)
    if (events.length > MAX_WAITING_EVENTS) releaseAll(channelId)
    else if (!timers.has(channelId))
      timers.set(
        channelId,
        setTimeout(() => releaseAll(channelId), PREDECESSOR_GRACE_MS),
      )
  }

  /** Applies the waiting events whose predecessors have been applied. */
  function release(channelId: string) {
    const events = waiting.get(channelId) ?? []
    while (events[0] && !isEarly(channelId, events[0].rev)) events.shift()?.apply()
    if (events.length === 0) forget(channelId)
  }

  /** The missing events were lost: whoever applies the next ones notices the gap. */
  function releaseAll(channelId: string) {
    const events = waiting.get(channelId) ?? []
    forget(channelId)
    for (const { apply } of events) apply()
  }

  function forget(channelId: string) {
    clearTimeout(timers.get(channelId))
    timers.delete(channelId)
    waiting.delete(channelId)
  }

  function end() {
    for (const channelId of [...waiting.keys()]) forget(channelId)
  }

  return { receive, end }
}
