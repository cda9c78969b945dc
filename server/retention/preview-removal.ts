import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The most files summed up per channel. */
const MAX_FILES = 20_000
/** Channels per statement, messages per statement, and statements that read messages, so that none takes long. */
const CHANNELS = 200
const WINDOW = 20_000
const MAX_WINDOWS = 500
const NO_ID = '00000000-0000-0000-0000-000000000000'

const HELD_PEOPLE = sql`(select "userId" from holds where "userId" is not null)`
/** Whether a held person wrote a thread's first message or one of its replies. */
const isHeldThread = (first: string) => sql`(${sql.ref(`${first}.userId`)} in ${HELD_PEOPLE}
  or ${sql.ref(`${first}.lastReplyAt`)} is not null and exists (
    select from messages r where r."threadId" = ${sql.ref(`${first}.id`)} and r."userId" in ${HELD_PEOPLE}))`

interface Rule {
  days: number
  channelId: string | undefined
}

const cutoffOf = ({ days }: Rule) => sql`date_trunc('day', clock_timestamp()) - make_interval(days => ${days})`
/** Whether the rule applies to a channel, and no hold keeps all of it. */
const isRuled = ({ channelId }: Rule) => sql`c."deletedAt" is null
  and not exists (select from holds h where h."channelId" = c.id)
  and (c.id = ${channelId ?? null}::uuid or (${channelId ?? null}::uuid is null and c."retentionDays" is null))`

/**
 * Estimates how much a rule would delete now, without what holds keep. Counts by message numbers, without reading the messages,
 * unless a person is held: messages that were already removed, or are kept because of a late reply, count as well.
 * @param channelId one channel; otherwise all that follow the workspace's rule
 */
export async function previewRemoval(db: Db, days: number, channelId: string | undefined) {
  const rule = { days, channelId }
  const held = await countHeld(db, rule)
  const sum = { messages: 0, files: 0, bytes: 0, channels: 0 }
  for (let after = NO_ID; ; ) {
    const channels = await readChannels(db, rule, after)
    for (const { id, messages, files, bytes } of channels) {
      const left = Math.max(0, messages - (held.get(id) ?? 0))
      sum.messages += left
      sum.files += files
      sum.bytes += bytes
      if (left > 0) sum.channels += 1
    }
    const last = channels.at(-1)
    if (!last || channels.length < CHANNELS) return sum
    after = last.id
  }
}

async function readChannels(db: Db, rule: Rule, after: string) {
  const { rows } = await sql<{ id: string; messages: number; files: number; bytes: number }>`
    select c.id, coalesce(greatest(0, first_seq_since(c.id, rule.cutoff) - (
        select min(seq) from messages where "channelId" = c.id and "threadId" is null)), 0)::bigint as messages,
      files.count as files, coalesce(files.bytes, 0)::bigint as bytes
    from (select c.id from channels c where ${isRuled(rule)} and c.seq > 0 and c.id > ${after}
      order by c.id limit ${sql.lit(CHANNELS)}) c
    cross join (select ${cutoffOf(rule)} as cutoff) rule
    cross join lateral (
      select count(*) as count, sum(size) as bytes from (
        select size from files f where "channelId" = c.id and state = 'ready' and "isShown" and "createdAt" < rule.cutoff
          and f."userId" not in ${HELD_PEOPLE}
          and not exists (
            select from messages own join messages m on m.id = coalesce(own."threadId", own.id)
            where own.id = f."messageId" and exists ${HELD_PEOPLE} and ${isHeldThread('m')})
        order by id limit ${sql.lit(MAX_FILES)}
      ) summed
    ) files
    order by c.id
  `.execute(db)
  return rows
}

/** The number of old messages kept because of held people, by channel. Covers only the first ten million messages. */
async function countHeld(db: Db, rule: Rule): Promise<Map<string, number>> {
  const held = new Map<string, number>()
  const people = await db.selectFrom('holds').select('id').where('userId', 'is not', null).limit(1).executeTakeFirst()
  if (!people) return held
  const { channelId } = rule
  // Scans along an index of the channel, or of all messages.
  const place = sql.ref(channelId ? 'seq' : 'id')
  const within = channelId ? sql`"channelId" = ${channelId} and "threadId" is null and` : sql``
  let after = channelId ? '0' : NO_ID
  for (let windows = 0; windows < MAX_WINDOWS; windows++) {
    const { rows } = await sql<{ end: string | null; held: Record<string, number> | null }>`
      with batch as materialized (
        select id, seq, "channelId", "threadId", "userId", "createdAt", "lastReplyAt" from messages
        where ${within} ${place} > ${after} order by ${place} limit ${sql.lit(WINDOW)}
      ), kept as (
        select m."channelId", count(*) as count from batch m join channels c on c.id = m."channelId"
        where m."threadId" is null and m."createdAt" < ${cutoffOf(rule)} and ${isRuled(rule)} and ${isHeldThread('m')}
        group by 1
      )
      select (select ${place}::text from batch order by ${place} desc limit 1) as end,
        (select jsonb_object_agg("channelId", count) from kept) as held
    `.execute(db)
    const [window] = rows
    for (const [id, count] of Object.entries(window?.held ?? {})) held.set(id, (held.get(id) ?? 0) + count)
    if (!window?.end) break
    after = window.end
  }
  return held
}
