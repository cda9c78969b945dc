import { LRUCache } from 'lru-cache'
import { upTo } from '../process/up-to.ts'

/**
 * A removal takes somebody's access to a channel away: a member left, or the channel became private. Identified by its
 * transaction id; 0 if there was none.
 */
export interface Removal {
  lastRemoval: number
  /** The channel's removal before this one. */
  previousRemoval: number
}

export type Removals = ReturnType<typeof createRemovals>

const MAX_REMEMBERED = 20_000

/**
 * Tracks which removals have been applied to this node's sockets. An event is published to a channel's sockets only once the
 * last removal committed before it has been applied, so a removed member receives nothing committed after their removal. The
 * poll for changes applies all removals that its snapshot sees; this remembers those applied since.
 * @param snapshot of a poll before the first socket joined, in PostgreSQL's format `xmin:xmax:xip_list`
 */
export function createRemovals(snapshot: string) {
  let sees = parseSnapshot(snapshot)
  /** By channel: the last known removal, and a revision of the channel that follows it. */
  const latest = new LRUCache<string, { rev: number; removal: number }>(upTo(MAX_REMEMBERED))
  /** By channel: the last applied removal, unless a poll has seen it. */
  const applied = new LRUCache<string, number>(upTo(MAX_REMEMBERED))

  const isApplied = (channelId: string, removal: number) => sees(removal) || applied.get(channelId) === removal

  return {
    isApplied,
    /** Records that `removal` was the channel's last one as of `rev`. */
    note(channelId: string, rev: number, removal: number) {
      if (removal !== 0 && rev >= (latest.get(channelId)?.rev ?? 0)) latest.set(channelId, { rev, removal })
    },
    /** The channel's last removal known to this node. */
    latest: (channelId: string) => latest.get(channelId)?.removal ?? 0,
    /** One removed member's sockets have left. Ignored unless the previous removals have been applied as well. */
    applyOne(channelId: string, { lastRemoval, previousRemoval }: Removal) {
      if (isApplied(channelId, previousRemoval)) applied.set(channelId, lastRemoval)
    },
    /** The sockets of everyone who had lost access as of `removal` have left. */
    applyAll(channelId: string, removal: number) {
      applied.set(channelId, removal)
    },
    /** Call after a poll was applied. */
    see(snapshot: string) {
      sees = parseSnapshot(snapshot)
      for (const [channelId, removal] of applied) if (sees(removal)) applied.delete(channelId)
    },
    /** The database was replaced: its transaction ids are not comparable. */
    reset(snapshot: string) {
      sees = parseSnapshot(snapshot)
      latest.clear()
      applied.clear()
    },
  }
}

/** Returns whether a snapshot sees a committed transaction. */
function parseSnapshot(snapshot: string): (xid: number) => boolean {
  const [oldest, end, underWay] = snapshot.split(':') as [string, string, string]
  const [xmin, xmax] = [Number(oldest), Number(end)]
  const running = new Set(underWay.split(',').filter(Boolean).map(Number))
  return (xid) => xid < xmin || (xid < xmax && !running.has(xid))
}
