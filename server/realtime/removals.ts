import { LRUCache } from 'lru-cache'
import { upTo } from '../process/up-to.ts'

/**
 * A removal takes somebody's access to a channel away: a member left, or the channel became private. It is named by the id of
 * its transaction; 0 if there was none.
 */
export interface Removal {
  lastRemoval: number
  /** The channel's removal before this one. */
  previousRemoval: number
}

export type Removals = ReturnType<typeof createRemovals>

const MAX_REMEMBERED = 20_000

/**
 * Which removals the sockets of this node have followed. An event is published to a channel's sockets only after the last
 * removal that was committed before it, so nobody hears what was committed after their removal. The poll for changes applies
 * all removals that its snapshot sees; those since are remembered here.
 * @param snapshot of a poll before the first socket joined, in PostgreSQL's format `xmin:xmax:xip_list`
 */
export function createRemovals(snapshot: string) {
  let sees = parseSnapshot(snapshot)
  /** By channel: the last removal that is known, and the channel's revision at which it was the last. */
  const latest = new LRUCache<string, { rev: number; removal: number }>(upTo(MAX_REMEMBERED))
  /** By channel: the last removal that was applied, if the poll did not see it yet. */
  const applied = new LRUCache<string, number>(upTo(MAX_REMEMBERED))

  const isApplied = (channelId: string, removal: number) => sees(removal) || applied.get(channelId) === removal

  return {
    isApplied,
    /** Something was committed in a channel at a revision, after a removal. */
    note(channelId: string, rev: number, removal: number) {
      if (removal !== 0 && rev >= (latest.get(channelId)?.rev ?? 0)) latest.set(channelId, { rev, removal })
    },
    /** The last removal of a channel that this node knows of. */
    latest: (channelId: string) => latest.get(channelId)?.removal ?? 0,
    /** The sockets of one removed member have left. Counts only if the removals before have been applied, too. */
    applyOne(channelId: string, { lastRemoval, previousRemoval }: Removal) {
      if (isApplied(channelId, previousRemoval)) applied.set(channelId, lastRemoval)
    },
    /** The sockets of everybody who had lost access as of a removal have left. */
    applyAll(channelId: string, removal: number) {
      applied.set(channelId, removal)
    },
    /** A poll was applied. */
    see(snapshot: string) {
      sees = parseSnapshot(snapshot)
      for (const [channelId, removal] of applied) if (sees(removal)) applied.delete(channelId)
    },
    /** The database is another one: its transaction ids mean something else. */
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
