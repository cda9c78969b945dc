/** How long an event or an announced revision waits for what precedes it. */
const GRACE_MS = 100
const MAX_WAITING_EVENTS = 100

export interface ChannelRev {
  channelId: string
  rev: number
}

/** What follows the revisions of channels, such as the sidebar or the windows of messages. */
interface Follower<Event> {
  /** The revisions of all copies that are held of a channel. The latest one decides which event is next. */
  heldRevs: (channelId: string) => number[]
  /** Whether all events of a channel arrive. Otherwise they are applied at once, in any order. */
  isComplete?: (channelId: string) => boolean
  apply: (event: Event) => void
  /** Something up to the latest revision did not arrive in time. Hands over the events that waited for it, in order. */
  onGap: (latest: ChannelRev, waiting: Event[]) => void
}

/**
 * Gives a follower the events of each channel in the order of their revisions, and notices those that are missing. If several
 * nodes write to a channel, an event may arrive before its predecessor, which came from another node: it waits for a moment.
 */
export function createChannelStream<Event extends ChannelRev>(follower: Follower<Event>) {
  const { heldRevs, isComplete = () => true, apply, onGap } = follower
  const latestRevs = new Map<string, number>()
  const waiting = new Map<string, Event[]>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function isEarly({ channelId, rev }: Event) {
    const held = heldRevs(channelId)
    return held.length > 0 && isComplete(channelId) && rev > Math.max(...held) + 1
  }
  /** The latest revision seen of a channel, in events and announcements. */
  const latestRev = (channelId: string) => latestRevs.get(channelId) ?? 0
  const isBehind = (channelId: string) => Math.min(...heldRevs(channelId)) < latestRev(channelId)

  function receive(event: Event) {
    const { channelId } = event
    note(event)
    if (isEarly(event)) waiting.set(channelId, insert(waiting.get(channelId) ?? [], event))
    else apply(event)
    release(channelId)
  }

  /** A revision that the server named, in case the events that led to it were lost, or one that the follower reached by itself. */
  function announce(latest: ChannelRev) {
    note(latest)
    watch(latest.channelId)
  }

  function note({ channelId, rev }: ChannelRev) {
    if (rev > latestRev(channelId)) latestRevs.set(channelId, rev)
  }

  /** Applies the events that need not wait any more. Call it after changing what is held of a channel. */
  function release(channelId: string) {
    const events = waiting.get(channelId) ?? []
    while (events[0] && !isEarly(events[0])) {
      apply(events.shift() as Event)
      unwatch(channelId)
    }
    if (events.length === 0) waiting.delete(channelId)
    if (!isBehind(channelId)) unwatch(channelId)
    else if (events.length > MAX_WAITING_EVENTS) giveUp(channelId)
    else watch(channelId)
  }

  function watch(channelId: string) {
    if (timers.has(channelId) || !isBehind(channelId)) return
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
    const events = waiting.get(channelId) ?? []
    unwatch(channelId)
    waiting.delete(channelId)
    onGap({ channelId, rev: latestRev(channelId) }, events)
  }

  /** Forgets what was seen of a channel: the follower begins again with what the server has. */
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
