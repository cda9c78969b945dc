/** How long an event or an announced revision waits for its predecessors. */
const GRACE_MS = 100
const MAX_WAITING_EVENTS = 100

export interface ChannelRev {
  channelId: string
  rev: number
}

/** Follows the revisions of channels, such as the sidebar or the message windows. */
interface Follower<Event> {
  /** The revisions of all held copies of a channel. The latest one decides which event is next. */
  heldRevs: (channelId: string) => number[]
  /** Whether all events of a channel arrive. Otherwise they are applied at once, in any order. */
  isComplete?: (channelId: string) => boolean
  /** Applies an event to the copies for which it is the next one. */
  apply: (event: Event) => void
  /**
   * Whether applying an event again is harmless. It is then kept until all copies have reached it, so that a copy
   * behind catches up with one fetch. Otherwise each event is applied once, after a gap by `onGap`.
   */
  isRepeatable?: boolean
  /** Events up to the latest revision did not arrive in time. Passes on events that waited for them and are not kept. */
  onGap: (latest: ChannelRev, waiting: Event[]) => void
}

/**
 * Passes the events of each channel to a follower in revision order, and detects missing ones. If several nodes write to a
 * channel, an event may arrive before its predecessor from another node, so it waits briefly.
 */
export function createChannelStream<Event extends ChannelRev>(follower: Follower<Event>) {
  const { heldRevs, isComplete = () => true, apply, isRepeatable = false, onGap } = follower
  const latestRevs = new Map<string, number>()
  const waiting = new Map<string, Event[]>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function isEarly({ channelId, rev }: Event) {
    const held = heldRevs(channelId)
    return held.length > 0 && isComplete(channelId) && rev > Math.max(...held) + 1
  }
  /** The latest revision seen of a channel, in events and announcements. */
  const latestRev = (channelId: string) => latestRevs.get(channelId) ?? 0
  /** The revision that all copies have reached; Infinity without any. */
  const reachedRev = (channelId: string) => Math.min(...heldRevs(channelId))
  const isBehind = (channelId: string) => reachedRev(channelId) < latestRev(channelId)

  function receive(event: Event) {
    const { channelId } = event
    note(event)
    waiting.set(channelId, insert(waiting.get(channelId) ?? [], event))
    release(channelId)
  }

  /** Notes a revision that the server announced, in case its events were lost, or that the follower reached otherwise. */
  function announce(latest: ChannelRev) {
    const { channelId } = latest
    note(latest)
    // The channel may be loading.
    if (heldRevs(channelId).length === 0) startTimer(channelId)
    else watch(channelId)
  }

  function note({ channelId, rev }: ChannelRev) {
    if (rev > latestRev(channelId)) latestRevs.set(channelId, rev)
  }

  /** Applies events that no longer have to wait. Call it after changing the held copies of a channel. */
  function release(channelId: string) {
    const before = reachedRev(channelId)
    const rest = (waiting.get(channelId) ?? []).filter((event) => {
      if (isEarly(event)) return true
      apply(event)
      return isRepeatable && event.rev > reachedRev(channelId)
    })
    if (rest.length > 0) waiting.set(channelId, isRepeatable ? rest.slice(-MAX_WAITING_EVENTS) : rest)
    else waiting.delete(channelId)
    // Events after the next gap get their own grace period.
    if (reachedRev(channelId) > before) unwatch(channelId)
    if (rest.length > MAX_WAITING_EVENTS && !isRepeatable) giveUp(channelId)
    else watch(channelId)
  }

  function watch(channelId: string) {
    if (isBehind(channelId)) return startTimer(channelId)
    return unwatch(channelId)
  }

  function startTimer(channelId: string) {
    if (timers.has(channelId)) return
    timers.set(
      channelId,
      setTimeout(() => giveUp(channelId), GRACE_MS),
    )
  }

  function unwatch(channelId: string) {
    clearTimeout(timers.get(channelId))
    timers.delete(channelId)
  }

  function giveUp(channelId: string) {
    const events = isRepeatable ? [] : (waiting.get(channelId) ?? [])
    unwatch(channelId)
    if (!isRepeatable) waiting.delete(channelId)
    if (isBehind(channelId) || events.length > 0) onGap({ channelId, rev: latestRev(channelId) }, events)
  }

  /** Forgets the revisions and events of a channel, so that the follower starts over with the server's state. */
  function forget(channelId: string) {
    unwatch(channelId)
    waiting.delete(channelId)
    latestRevs.delete(channelId)
  }

  function forgetAll() {
    for (const channelId of latestRevs.keys()) forget(channelId)
  }

  return { receive, announce, release, latestRev, isBehind, forget, forgetAll }
}

const insert = <Event extends ChannelRev>(events: Event[], event: Event) =>
  [...events, event].sort((a, b) => a.rev - b.rev)
