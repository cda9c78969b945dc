import { type RawBuilder, sql } from 'kysely'
import type { Counter } from 'prom-client'
import type { User } from '#contract/users'
import { type Db, isTimeout } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'

/**
 * A person came to a channel or went; or, where `userId` is empty, the channel was opened, closed or deleted, or, a public
 * one, made or changed.
 */
export interface AccessChange {
  channelId: string
  userId: string
  isMember: boolean
  isPublic: boolean
  isDeleted: boolean
}

/** What was committed since the look before, each row as it is now. */
export interface Changes {
  channels: { id: string; rev: number; seq: number }[]
  access: AccessChange[]
  /** Sessions that ended. */
  ended: string[]
  peopleVersion: number
  /** Who has another name, was deactivated or let in again. */
  people: User[]
}

interface Watcher {
  /** Called after each look, also where nothing changed. Must not throw. */
  onChanges(changes: Changes): void
  /**
   * It is not known what changed: this is another database, one that recovered from a crash, or it was away too long; or
   * there is so much that to read it takes too long.
   */
  onUnknown(ended: string[]): void
  /** All that was read before the last such call is older than any token. Must not throw. */
  onOld(): void
}

interface Look extends Changes {
  /** What this look saw, as PostgreSQL writes it: `xmin:xmax:xip_list`. */
  snapshot: string
  /** Which database this is, and which of its lives since its last crash; null in a life that nobody named yet. */
  life: string | null
  /** Seconds since 1970, by the database's clock. */
  now: number
}

interface Options {
  db: Db
  log: Logger
  /** Looks that failed, and times when it was not known what changed. */
  failures: Counter
  resets: Counter
}

export type Watch = Awaited<ReturnType<typeof openWatch>>

/** What ended, or changed, within a second is known everywhere within a second: twice this, and room for the query. */
const EVERY_MS = 400
/** Rows that say what ended or changed are kept for so long after all could see them; no token lives longer. */
const KEPT_SECONDS = 2 * 3600
/** Without a look for so long, rows that were not seen may be gone. */
const AWAY_SECONDS = KEPT_SECONDS / 2
/**
 * Looks in a row that may time out although the database answers. The next one has more to read, so it may never come to
 * an end: sockets would hear of nothing any more that is done elsewhere.
 */
const MOST_TIMEOUTS = 3
/** Old rows that are removed at once. */
const BATCH = 10_000

/**
 * Looks what changed in the database, whoever changed it: another node, or this one where it gave up before its commit
 * landed. Each watched row says which transaction changed it last; a look reads exactly the rows of those transactions
 * that the snapshot of the look before did not see. So nothing is missed, however long a commit takes, and nothing is
 * read twice. No time is compared.
 */
export async function openWatch({ db, log, failures, resets }: Options) {
  let previous = await read(db)
  /** What everybody had seen at the beginning of the time for which rows are kept. */
  let kept = previous
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let timeouts = 0

  async function look(watcher: Watcher) {
    const seen = await read(db, previous.snapshot)
    if (follows(seen, previous)) {
      watcher.onChanges(seen)
      previous = seen
      return
    }
    beginAnew(watcher, await read(db))
  }

  /** Goes on from what is there now; what changed since the look before is not known. */
  function beginAnew(watcher: Watcher, now: Look) {
    previous = now
    kept = now
    timeouts = 0
    resets.inc()
    watcher.onUnknown(now.ended)
  }

  /** While the database is away, or stands still, nothing can be known, and the next look that works tells all. */
  async function lookFailed(watcher: Watcher, error: unknown) {
    failures.inc()
    log.warn({ err: error }, 'could not look what changed')
    const now = isTimeout(error) ? await read(db).catch(() => undefined) : undefined
    timeouts = now ? timeouts + 1 : 0
    if (now && timeouts >= MOST_TIMEOUTS) beginAnew(watcher, now)
  }

  async function forget(watcher: Watcher) {
    if (previous.now - kept.now < KEPT_SECONDS) return
    if (await removeOld(db, kept.snapshot)) return
    kept = previous
    watcher.onOld()
  }

  return {
    /** Sessions that ended within the life of a token, as of now. */
    ended: previous.ended,
    start(watcher: Watcher) {
      const warn = (error: unknown) => stopped || log.warn({ err: error }, 'could not look what changed')
      const beat = async () => {
        await look(watcher).then(
          () => {
            timeouts = 0
          },
          (error) => stopped || lookFailed(watcher, error).catch(warn),
        )
        await forget(watcher).catch(warn)
        if (!stopped) timer = setTimeout(beat, EVERY_MS)
      }
      timer = setTimeout(beat, EVERY_MS)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Whether a look tells all that changed since another: its database is the same, and remembers. */
function follows(seen: Look, previous: Look) {
  const oldest = ({ snapshot }: Look) => BigInt(snapshot.split(':')[0] as string)
  const isSame = seen.life === previous.life && oldest(seen) >= oldest(previous)
  return isSame && seen.now - previous.now < AWAY_SECONDS
}

/**
 * Reads what a snapshot did not see; without one, nothing but the sessions that ended lately.
 * @param snapshot of the look before
 */
async function read(db: Db, snapshot?: string): Promise<Look> {
  const isNew = (column: string) => (snapshot === undefined ? sql`false` : isUnseen(sql.ref(column), snapshot))
  const ended = snapshot === undefined ? sql`true` : isNew('changedBy')
  const { rows } = await sql<Look>`
    select pg_current_snapshot()::text as snapshot,
      epoch || ' ' || (select id from lives) as life,
      extract(epoch from clock_timestamp())::float8 as now,
      w."peopleVersion",
      ${list(sql`select id, rev, seq from channels where "deletedAt" is null and ${isNew('changedBy')}`)} as channels,
      ${list(sql`
        select a."channelId", a."userId", m."userId" is not null and c."deletedAt" is null as "isMember",
          c.kind = 'public' as "isPublic", c."deletedAt" is not null as "isDeleted"
        from access_changes a
        join channels c on c.id = a."channelId"
        left join memberships m on m."channelId" = a."channelId" and m."userId" = a."userId"
        where ${isNew('a.changedBy')}`)} as access,
      array(select "sessionId" from revocations where ${ended}) as ended,
      ${list(sql`select id, username, name from users where ${isNew('changedBy')}`)} as people
    from workspace w`.execute(db)
  const [found] = rows as [Look]
  if (found.life !== null) return found
  await sql`insert into lives default values on conflict do nothing`.execute(db)
  return read(db, snapshot)
}

/**
 * Whether the transaction in a column was not to be seen in a snapshot: it began later, or was under way. Numbers beyond
 * those that were given out came with rows of another database.
 */
function isUnseen(column: RawBuilder<unknown>, snapshot: string) {
  const [, end, underWay] = snapshot.split(':') as [string, string, string]
  // Values, not functions of the snapshot: the planner knows by them how few rows there are, and goes by the index.
  return sql`(
    (${column} >= ${end}::xid8 and ${column} < pg_snapshot_xmax(pg_current_snapshot()))
    or ${column} = any(${underWay.split(',').filter((it) => it !== '')}::xid8[]))`
}

const list = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(it), '[]') from (${rows}) it)`

/** Removes a batch of the rows that a snapshot saw, of those that say what ended or changed. Answers whether there may be more. */
export async function removeOld(db: Db, snapshot: string): Promise<boolean> {
  let more = false
  for (const table of ['revocations', 'access_changes']) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)}
        where "changedBy" < pg_snapshot_xmax(${snapshot}::pg_snapshot)
          and pg_visible_in_snapshot("changedBy", ${snapshot}::pg_snapshot)
        limit ${sql.lit(BATCH)}
      ))`.execute(db)
    more ||= numAffectedRows === BigInt(BATCH)
  }
  return more
}
