import { sql } from 'kysely'
import { type AuditEntry, type AuditFilters, auditTopics } from '#contract/audit'
import type { Role } from '#contract/roles'
import type { Db } from '../db/database.ts'
import { deviceOf } from '../text/device-name.ts'
import { containsPattern } from '../text/like-pattern.ts'

interface AuditReader {
  id: string
  role: Role
}

/** Lines examined by one statement, and statements per page, which limits the cost of a rare filter. */
const WINDOW_LINES = 20_000
const MAX_WINDOWS = 10
/** The numbers of lines written at about the same time may be in another order than their times. */
const DISORDER = 1000

interface Page {
  entries: AuditEntry[]
  next: number | null
}

/**
 * Reads a page of the log, newest first, as visible to a reader: the names of private channels only for the workspace's owner
 * and their members, those of direct messages never. Hidden names are not searched either.
 * @param cursor returns lines before this number
 */
export async function readAudit(
  db: Db,
  reader: AuditReader,
  filters: AuditFilters,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<Page> {
  const newest = await newestId(db, filters.before)
  let end = Math.min(cursor ?? Number.MAX_SAFE_INTEGER, newest + 1)
  const start = await oldestId(db, filters.after)
  const entries: AuditEntry[] = []
  for (let windows = 0; windows < MAX_WINDOWS && end > start; windows++) {
    const from = Math.max(start, end - WINDOW_LINES)
    const rows = await readWindow(db, reader, filters, { from, end, limit: limit - entries.length })
    entries.push(...rows.map(present))
    if (entries.length === limit) {
      const last = (rows.at(-1) as Row).id
      return { entries, next: last > start ? last : null }
    }
    end = from
  }
  return { entries, next: end > start ? end : null }
}

interface Row {
  id: number
  at: string
  kind: string
  actorId: string | null
  actorName: string | null
  actorUsername: string | null
  personId: string | null
  personName: string | null
  personUsername: string | null
  channelId: string | null
  channelKind: string | null
  channelName: string | null
  isReadable: boolean
  isKnown: boolean
  details: Record<string, string | number | boolean | null>
  address: string | null
  userAgent: string | null
}

async function readWindow(
  db: Db,
  reader: AuditReader,
  { person, topic, kind, after, before, q }: AuditFilters,
  { from, end, limit }: { from: number; end: number; limit: number },
): Promise<Row[]> {
  const kinds = topic ? [...auditTopics[topic]] : null
  const like = q ? containsPattern(q) : null
  const { rows } = await sql<Row>`
    select line.id, line.at, line.kind, line."actorId", actor.name as "actorName", actor.username as "actorUsername",
      line."personId", person.name as "personName", person.username as "personUsername",
      line."channelId", line."channelKind", line."channelName", readable.yes as "isReadable", known.yes as "isKnown",
      line.details, line.address, line."userAgent"
    from audit_log line
    left join users actor on actor.id = line."actorId"
    left join users person on person.id = line."personId"
    cross join lateral (select line."channelKind" = 'public' or exists (
      select from memberships m where m."channelId" = line."channelId" and m."userId" = ${reader.id}) as yes) readable
    cross join lateral (select readable.yes or (line."channelKind" = 'private' and ${reader.role === 'owner'}) as yes) known
    where line.id >= ${from} and line.id < ${end}
      and (${person ?? null}::text is null or line."actorId" = ${person ?? null} or line."personId" = ${person ?? null})
      and (${kinds}::text[] is null or line.kind = any(${kinds}::text[]))
      and (${kind ?? null}::text is null or line.kind = ${kind ?? null})
      and (${after ?? null}::timestamptz is null or line.at >= ${after ?? null}::timestamptz)
      and (${before ?? null}::timestamptz is null or line.at < ${before ?? null}::timestamptz)
      and (${like}::text is null or actor.name ilike ${like} or actor.username ilike ${like}
        or person.name ilike ${like} or person.username ilike ${like} or line.address ilike ${like}
        or (known.yes and (line."channelName" ilike ${like} or line.details ->> 'from' ilike ${like})))
    order by line.id desc
    limit ${limit}
  `.execute(db)
  return rows
}

function present(row: Row): AuditEntry {
  const { id, at, kind, details, address } = row
  const { from: _, ...others } = details
  const { channelKind, isReadable, isKnown } = row
  return {
    id,
    at,
    kind,
    actor: userOf(row.actorId, row.actorName, row.actorUsername),
    person: userOf(row.personId, row.personName, row.personUsername),
    channel: row.channelId
      ? { id: isReadable ? row.channelId : null, name: isKnown ? row.channelName : null, kind: channelKind ?? '' }
      : null,
    details: row.channelId && !isKnown ? others : details,
    address,
    device: row.userAgent && deviceOf(row.userAgent).device,
  }
}

const userOf = (id: string | null, name: string | null, username: string | null) =>
  id === null ? null : { id, name: name ?? id, username: username ?? id }

async function newestId(db: Db, before: string | undefined) {
  const lines = db.selectFrom('audit_log').select('id').limit(1)
  const newest = before
    ? lines.where('at', '<', sql<string>`${before}::timestamptz`).orderBy('at', 'desc')
    : lines.orderBy('id', 'desc')
  const id = (await newest.executeTakeFirst())?.id ?? 0
  return before && id > 0 ? id + DISORDER : id
}

/** Lines before it have expired, or are older than `after`. */
async function oldestId(db: Db, after: string | undefined) {
  const lines = db.selectFrom('audit_log').select('id').limit(1)
  const oldest = after ? lines.where('at', '>=', sql<string>`${after}::timestamptz`).orderBy('at') : lines.orderBy('id')
  const id = (await oldest.executeTakeFirst())?.id
  if (id === undefined) return Number.MAX_SAFE_INTEGER
  return after ? Math.max(1, id - DISORDER) : id
}
