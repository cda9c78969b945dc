import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Counter } from 'prom-client'
import type { Face, Me } from '#contract/users'
import { type Db, isTimeout } from '../db/database.ts'
import { followHistory } from '../db/history.ts'
import { guestChannelsOf } from '../people/guest-channels.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import type { Freshness } from '../realtime/freshness.ts'
import { watchClock } from './clock.ts'
import type { LostCommits } from './lost-commits.ts'

/**
 * A user joined or left a channel. With an empty `userId`: the channel became public or private or was deleted, or a public
 * one was created or changed.
 */
export interface AccessChange {
  channelId: string
  userId: string
  isMember: boolean
  isPublic: boolean
  isDeleted: boolean
  /** The channel's revision that includes this change. */
  selfRev: number
}

/** Everything committed since the previous poll, each row as it is now. */
export interface DatabaseChanges {
  /** The snapshot of this poll. */
  snapshot: string
  channels: { id: string; rev: number; seq: number }[]
  access: AccessChange[]
  /** Ended sessions. */
  ended: string[]
  peopleVersion: number
  /** Users who were renamed, deactivated or reactivated, or changed their picture. */
  people: (Face & { avatarUrl: string | null; role: string; guestChannels: string[] })[]
  /** Grows when the roles' permissions change. */
  permissionsVersion: number
  /** Grows when groups or their people change. */
  groupsVersion: number
  /** Grows when the workspace's emoji change. */
  emojiVersion: number
  /** What the workspace is called; the version grows when it is renamed. */
  workspaceName: string
  nameVersion: number
  /** Users who changed their language. */
  languages: Pick<Me, 'id' | 'language'>[]
  /** Users whose status emoji, text or end changed, or whether they appear as away or quiet. */
  emojis: string[]
  /** Users who became away, quiet, invisible or active. */
  availabilities: { id: string; availability: string; quietUntil: string | null; isStatusQuiet: boolean }[]
  /** People who changed the words that notify them, and those words. */
  keywords: { userId: string; keywords: string[] }[]
}

interface Watcher {
  /** Called after each poll, even if nothing changed. Must not throw. */
  onChanges(changes: DatabaseChanges): void
  /**
   * The changes are unknown: the database is a different one, recovered from a crash, was unreachable for too long, or there is
   * more to read than a poll can. After a loss of commits, the epoch is a new one.
   */
  onUnknown(now: Pick<Poll, 'ended' | 'snapshot' | 'epoch'>): void
  /** A retention period has passed: everything read before the previous call is older than any token. Must not throw. */
  onExpired(): void
}

/** The state of the database itself. */
interface State {
  /** The visible transactions, in PostgreSQL's format `xmin:xmax:xip_list`. */
  snapshot: string
  epoch: string
  /** Identifies the last recovery or promotion of the database; null if no node has assigned one yet. */
  life: string | null
  /** The position up to which its log is on disk; null if the account may not read it. */
  flushedTo: string | null
  /** Seconds since 1970, by the database's clock. */
  now: number
}

interface Poll extends DatabaseChanges, State {}

interface Options {
  db: Db
  pool: Pool
  log: Logger
  /** Failed polls, and resets. */
  failures: Counter
  resets: Counter
  lostCommits: Pick<LostCommits, 'found' | 'forget'>
  freshness: Pick<Freshness, 'begin' | 'failed'>
}

export type Watch = Awaited<ReturnType<typeof openWatch>>

/** Every node sees a change within a second: twice this, plus time for the query. */
const POLL_INTERVAL_MS = 400
/** How long change records are kept once every node could see them; longer than any token lives. */
const RETENTION_SECONDS = 2 * 3600
/** After a longer gap between polls, rows that were never read may have been deleted. */
const MAX_GAP_SECONDS = RETENTION_SECONDS / 2
/**
 * Consecutive polls that may time out although the database answers. Each has more to read than the last, so without this limit
 * none might ever finish, and sockets here would receive nothing from other nodes.
 */
const MAX_TIMEOUTS = 3
const DELETE_BATCH_SIZE = 10_000
const FAILURE = 'could not poll for changes'
const NOTHING = {
  channels: [],
  access: [],
  ended: [],
  people: [],
  languages: [],
  emojis: [],
  availabilities: [],
  keywords: [],
}

/**
 * Polls the database for changes made by another node, or by this one if it timed out before its commit landed. Each watched row
 * names the transaction that last changed it; a poll reads exactly the rows of transactions that the previous poll's snapshot
 * did not see. So it misses nothing, however long a commit takes, reads nothing twice, and compares no clocks.
 */
export async function openWatch({ db, pool, log, failures, resets, lostCommits, freshness }: Options) {
  const hasLog = await mayReadLog(db)
  const noteClock = watchClock(log)
  const read = (snapshot?: string) => readPoll(db, hasLog, snapshot)
  let previous = await read()
  noteClock(previous.now)
  /** The poll at the start of the current retention period. */
  let retained = previous
  let isStopped = false
  let stopPolling: ReturnType<typeof startPolling> | undefined
  let timeouts = 0
  /** Consecutive failed polls. */
  let failed = 0
  let removing: Promise<void> | undefined

  /** Most polls find the same snapshot: nothing was committed, so they read nothing else. */
  async function readChanges(): Promise<Poll> {
    const state = await readState(pool, hasLog)
    if (state.snapshot !== previous.snapshot || state.life === null) return read(previous.snapshot)
    // The versions and the name stay.
    return { ...previous, ...NOTHING, ...state }
  }

  async function poll(watcher: Watcher) {
    const current = await readChanges()
    noteClock(current.now)
    if (isContinuous(current, previous)) {
      watcher.onChanges(current)
      previous = current
      return
    }
    await reset(watcher, current)
  }

  /** Starts over from now; changes since the previous poll are unknown. */
  async function reset(watcher: Watcher, { epoch, life }: Poll) {
    // Another node may already have started the next epoch.
    if (life !== previous.life && epoch === previous.epoch) await checkForLoss()
    const now = await read()
    if (now.epoch !== previous.epoch) lostCommits.forget()
    previous = now
    retained = now
    timeouts = 0
    resets.inc()
    watcher.onUnknown(now)
  }

  async function checkForLoss() {
    const isLost = await lostCommits.found(previous.flushedTo)
    if (isLost) log.warn('the database lost its last commits, so all clients reload everything')
    await followHistory(db, isLost ? previous.epoch : undefined)
  }

  /** While the database is unreachable, changes are unknown; the next successful poll reads everything since. */
  async function onPollFailed(watcher: Watcher, error: unknown) {
    failures.inc()
    log.warn({ err: error }, FAILURE)
    // The first failure may only be a connection that was cut during a pause.
    if (++failed > 1) freshness.failed()
    const now = isTimeout(error) ? await read().catch(() => undefined) : undefined
    timeouts = now ? timeouts + 1 : 0
    if (now && timeouts >= MAX_TIMEOUTS) await reset(watcher, now)
  }

  async function removeExpired(watcher: Watcher) {
    if (previous.now - retained.now < RETENTION_SECONDS) return
    if (await removeOld(db, retained.snapshot)) return
    retained = previous
    watcher.onExpired()
  }

  return {
    /** Sessions that ended within the lifetime of a token. */
    ended: previous.ended,
    snapshot: previous.snapshot,
    epoch: previous.epoch,
    permissionsVersion: previous.permissionsVersion,
    groupsVersion: previous.groupsVersion,
    emojiVersion: previous.emojiVersion,
    nameVersion: previous.nameVersion,
    start(watcher: Watcher) {
      stopPolling = startPolling({ intervalMs: POLL_INTERVAL_MS, log, failure: FAILURE }, async () => {
        const applied = freshness.begin()
        try {
          await poll(watcher)
          timeouts = 0
          failed = 0
          applied()
        } catch (error) {
          if (isStopped) return undefined
          await onPollFailed(watcher, error)
        }
        removing ??= removeExpired(watcher)
          .catch((err) => log.warn({ err }, 'old change records could not be removed; this will be retried'))
          .finally(() => {
            removing = undefined
          })
        return undefined
      })
    },
    /** Polls again within milliseconds, because something was committed. */
    pollSoon() {
      // An unreachable database is polled no more often than usual.
      if (failed <= 1) stopPolling?.runSoon()
    },
    async stop() {
      isStopped = true
      await stopPolling?.()
      await removing
    },
  }
}

/** Whether a poll read everything since the previous one: it is the same database, and no rows were deleted. */
function isContinuous(current: Poll, previous: Poll) {
  const oldest = ({ snapshot }: Poll) => BigInt(snapshot.split(':')[0] as string)
  const isSame =
    current.epoch === previous.epoch && current.life === previous.life && oldest(current) >= oldest(previous)
  return isSame && current.now - previous.now < MAX_GAP_SECONDS
}

const stateColumns = (hasLog: boolean) => `
  pg_current_snapshot()::text as snapshot, epoch, (select id from lives) as life,
  ${hasLog ? 'pg_current_wal_flush_lsn()::text' : 'null'} as "flushedTo",
  extract(epoch from clock_timestamp())::float8 as now`

async function readState(pool: Pool, hasLog: boolean): Promise<State> {
  // A prepared statement, because an idle server does little else.
  const name = hasLog ? 'state' : 'state_without_log'
  const { rows } = await pool.query<State>({ name, text: `select ${stateColumns(hasLog)} from workspace` })
  return rows[0] as State
}

/** Reads everything that a snapshot did not see; without one, only recently ended sessions. */
async function readPoll(db: Db, hasLog: boolean, snapshot?: string): Promise<Poll> {
  const isNew = (column: string) => (snapshot === undefined ? sql`false` : isUnseen(sql.ref(column), snapshot))
  const ended = snapshot === undefined ? sql`true` : isNew('changedBy')
  const { rows } = await sql<Poll>`
    select ${sql.raw(stateColumns(hasLog))}, w."peopleVersion",
      ${list(sql`select id, rev, seq from channels where "deletedAt" is null and ${isNew('changedBy')}`)} as channels,
      ${list(sql`
        select a."channelId", a."userId", m."userId" is not null and c."deletedAt" is null as "isMember",
          c.kind = 'public' as "isPublic", c."deletedAt" is not null as "isDeleted", c."selfRev"
        from access_changes a
        join channels c on c.id = a."channelId"
        left join memberships m on m."channelId" = a."channelId" and m."userId" = a."userId"
        where ${isNew('a.changedBy')}`)} as access,
      array(select "sessionId" from revocations where ${ended}) as ended,
      ${list(sql`select id, username, name, "isNamesake", color, image as "avatarUrl", role, ${guestChannelsOf('users.id')} as "guestChannels"
        from users where ${isNew('changedBy')}`)} as people,
      w."permissionsVersion", w."groupsVersion", w."emojiVersion", w.name as "workspaceName", w."nameVersion",
      ${list(sql`select id, language from users where ${isNew('languageChangedBy')}`)} as languages,
      array(select id from users where ${isNew('emojiChangedBy')}) as emojis,
      ${list(sql`
        select id, availability, "quietUntil", coalesce("quietUntil" is not null and "statusQuietUntil" > now(), false) as "isStatusQuiet"
        from users where ${isNew('availabilityChangedBy')}`)} as availabilities,
      ${list(sql`
        select "userId", keywords from notification_settings where ${isNew('keywordsChangedBy')}
        union all
        select id, '{}' from users where ${isNew('changedBy')} and "erasedAt" is not null`)} as keywords
    from workspace w`.execute(db)
  const [found] = rows as [Poll]
  if (found.life !== null) return found
  await sql`insert into lives default values on conflict do nothing`.execute(db)
  return readPoll(db, hasLog, snapshot)
}

/** Whether the account may read log positions. Not every service allows it. */
const mayReadLog = (db: Db) =>
  sql`select pg_current_wal_flush_lsn(), pg_last_wal_replay_lsn()`.execute(db).then(
    () => true,
    () => false,
  )

/**
 * Whether a snapshot did not see the transaction in a column: it began later, or was still running. Transaction ids beyond the
 * current ones stem from another database.
 */
function isUnseen(column: RawBuilder<unknown>, snapshot: string) {
  const [, end, underWay] = snapshot.split(':') as [string, string, string]
  // With literal values instead of snapshot functions, the planner sees how few rows match and uses the index.
  return sql`(
    (${column} >= ${end}::xid8 and ${column} < pg_snapshot_xmax(pg_current_snapshot()))
    or ${column} = any(${underWay.split(',').filter((xid) => xid !== '')}::xid8[]))`
}

const list = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(it), '[]') from (${rows}) it)`

/** Deletes a batch of change records that a snapshot saw. Returns whether more may remain. */
export async function removeOld(db: Db, snapshot: string): Promise<boolean> {
  let more = false
  for (const table of ['revocations', 'access_changes']) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)}
        where "changedBy" < pg_snapshot_xmax(${snapshot}::pg_snapshot)
          and pg_visible_in_snapshot("changedBy", ${snapshot}::pg_snapshot)
        limit ${sql.lit(DELETE_BATCH_SIZE)}
      ))`.execute(db)
    more ||= numAffectedRows === BigInt(DELETE_BATCH_SIZE)
  }
  return more
}
