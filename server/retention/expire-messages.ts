import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Transaction } from 'kysely'
import { writeAudit } from '../audit/write-audit.ts'
import { bumpRev, lockChannel } from '../channels/revision.ts'
import type { DB } from '../db/schema.ts'
import { startPolling } from '../process/poll.ts'
import { channelRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { areHoldsUnchanged, claimDueChannel, type DueChannel, isAnyDue, isStillDue } from './due-channels.ts'
import { BATCH, nextExpired, type Removed, removeEmptyBlocks, removeLooseFiles, removeSome } from './remove-messages.ts'

const POLL_INTERVAL_MS = 60_000
/** Delay before retrying a channel in which somebody was writing. */
const BUSY_RETRY_MS = 1000
/** Pause between batches, to leave connections for others. */
const PAUSE_MS = 50

export interface Retention {
  /** Checks for due channels as soon as possible. */
  wake(): void
  stop(): Promise<void>
}

/** Removes messages older than their retention period, a channel at a time, each on one node. */
export function startRetention(services: Services): Retention {
  const ending = new AbortController()
  const poll = startPolling(
    { intervalMs: POLL_INTERVAL_MS, log: services.log, failure: 'old messages could not be removed' },
    async () => {
      const due = await claimDueChannel(services.db)
      if (!due) return (await isAnyDue(services.db)) ? BUSY_RETRY_MS : undefined
      await expireChannel(services, due, ending.signal)
      return 0
    },
  )
  return {
    wake: poll.runSoon,
    async stop() {
      ending.abort()
      await poll()
    },
  }
}

/** After a crash or a stop, the next claim continues where this one stopped: the channel's row counts the removed messages. */
async function expireChannel(services: Services, due: DueChannel, signal: AbortSignal) {
  const { id, cutoff } = due
  const { writer } = services
  /** Removes in transactions until done. Returns false if the messages are to be kept after all. */
  const batch = async (
    remove: (tx: Transaction<DB>, before: string) => Promise<(Removed & { isDone: boolean }) | undefined>,
  ) => {
    for (;;) {
      signal.throwIfAborted()
      const result = await writer.change(
        id,
        async (tx) => {
          await lockChannel(tx, id)
          if (cutoff === null || !(await isStillDue(tx, id, cutoff))) return 'kept'
          const removed = await remove(tx, cutoff)
          if (removed) await count(tx, id, removed)
          return removed?.isDone === false ? 'more' : 'done'
        },
        () => {},
      )
      if (result !== 'more') return result === 'done'
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }

  let from: number | null = 0
  while (from !== null) {
    let window: Awaited<ReturnType<typeof nextExpired>> | undefined
    const at: number = from
    const isDue = await batch(async (tx, before) => {
      window = await nextExpired(tx, id, before, at)
      return undefined
    })
    if (!isDue || !window) break
    for (let first = 0; first < window.ids.length; first += BATCH) {
      const ids = window.ids.slice(first, first + BATCH)
      // Checked again under the lock: a reply or a hold may have been added.
      const isRemoved = await batch(async (tx, before) => {
        const still = new Set((await nextExpired(tx, id, before, at)).ids)
        const expired = ids.filter((each) => still.has(each))
        return expired.length > 0 ? removeSome(tx, expired) : undefined
      })
      if (!isRemoved) break
    }
    from = window.end
  }
  await batch((tx, before) => removeLooseFiles(tx, id, before))
  await complete(services, due)
}

/** Counts the removed rows in the same transaction, and renews the lease. */
const count = (tx: Transaction<DB>, channelId: string, { messages, files, bytes }: Removed) =>
  sql`
    update channels set "removingSince" = clock_timestamp(), removing = jsonb_build_object(
      'messages', coalesce((removing ->> 'messages')::bigint, 0) + ${messages},
      'files', coalesce((removing ->> 'files')::bigint, 0) + ${files},
      'bytes', coalesce((removing ->> 'bytes')::bigint, 0) + ${bytes})
    where id = ${channelId}::uuid and ${messages + files > 0}
  `.execute(tx)

/** Publishes a revision that makes all clients reload the channel, and records what was removed. */
async function complete({ db, publish, writer }: Services, due: DueChannel) {
  const { id, cutoff } = due
  await writer.change(
    id,
    async (tx) => {
      const channel = await lockChannel(tx, id)
      const { removing } = await tx
        .selectFrom('channels')
        .select('removing')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const isComplete = cutoff !== null && (await isStillDue(tx, id, cutoff)) && (await areHoldsUnchanged(tx, due))
      const self = {
        removing: null,
        removingSince: null,
        ...(isComplete && { expiredBefore: cutoff }),
      }
      if (removing === null) {
        await tx.updateTable('channels').set(self).where('id', '=', id).execute()
        return undefined
      }
      const { rev } = await bumpRev(tx, id)
      await tx
        .updateTable('channels')
        .set({ ...self, removedRev: rev })
        .where('id', '=', id)
        .execute()
      // Removed messages don't count as unread.
      await sql`
        update memberships set "lastReadSeq" = first.seq - 1
        from (select coalesce(min(seq), ${channel.seq} + 1) as seq from messages
          where "channelId" = ${id}::uuid and "threadId" is null) first
        where "channelId" = ${id}::uuid and "lastReadSeq" < first.seq - 1
      `.execute(tx)
      const details = removing as unknown as Record<keyof Removed, number>
      await writeAudit(tx, { kind: 'messages_expired', actorId: null, channel, details })
      return { rev, seq: channel.seq }
    },
    (moved) => moved && publish(channelRoom(id), 'channel:rev', { channelId: id, ...moved }),
  )
  while (await db.transaction().execute((tx) => removeEmptyBlocks(tx, id)));
}
