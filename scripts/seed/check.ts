import type pg from 'pg'
import { type Storage, storageKeyOf, thumbnailKeyOf } from '../../server/files/storage.ts'

/** The checks of every channel, by the fault they find. */
const CHANNELS = `
  with checks as (
    select c.id, c.name, c.seq, c.rev, c."selfRev", c."memberCount", c.kind, c."directKey", c."lastMessageAt",
      m.n, m.lowest, m.highest, m.newest, m.last, p.members, p.ahead, p.key
    from channels c
    left join lateral (
      select count(*) filter (where "threadId" is null) as n, min(seq) filter (where "threadId" is null) as lowest,
        max(seq) filter (where "threadId" is null) as highest, max(rev) as newest,
        max("createdAt") filter (where "threadId" is null and seq = c.seq) as last
      from messages where "channelId" = c.id
    ) m on true
    left join lateral (
      select count(*) as members, count(*) filter (where "lastReadSeq" > c.seq) as ahead,
        string_agg("userId", ' ' order by "userId" collate "C") as key
      from memberships where "channelId" = c.id
    ) p on true
    where c."deletedAt" is null
  )
  select name as place, case
    when n <> seq or (n > 0 and (lowest <> 1 or highest <> seq)) then 'the messages are not numbered without gaps'
    when greatest(newest, "selfRev") <> rev then 'the rev is not that of the newest change'
    when members <> "memberCount" then 'the member count is wrong'
    when ahead > 0 then 'a read cursor is ahead of the messages'
    when last is distinct from "lastMessageAt" then 'the time of the last message is wrong'
    when kind = 'direct' and key <> "directKey" then 'the key does not match the members'
  end as fault
  from checks`

/** Compares a parent's thread summary with its replies. */
const THREADS = `
  select 'thread ' || p.id as place, case
    when p."threadSeq" <> r.n or r.lowest <> 1 or r.highest <> r.n then 'the replies are not numbered without gaps'
    when p."replyCount" <> r.live then 'the reply count is wrong'
    when p."lastReplyAt" is distinct from r.last then 'the time of the last reply is wrong'
    when r.n <= 100 and p."lastRepliers" <> r.repliers then 'the last repliers are wrong'
    when r.elsewhere > 0 then 'a reply is in another channel'
    when r.strangers > 0 then 'an author of a reply does not follow the thread'
    when f.ahead > 0 then 'a read cursor is ahead of the replies'
  end as fault
  from messages p
  join lateral (
    select count(*) as n, min(seq) as lowest, max(seq) as highest, count(*) filter (where "deletedAt" is null) as live,
      max("createdAt") filter (where "deletedAt" is null) as last,
      count(*) filter (where "channelId" <> p."channelId") as elsewhere,
      count(*) filter (where not exists (
        select from thread_follows where "threadId" = p.id and "userId" = m."userId")) as strangers,
      array(select "userId" from messages where "threadId" = p.id and "deletedAt" is null
        group by "userId" order by max(seq) desc limit 3) as repliers
    from messages m where "threadId" = p.id
  ) r on true
  join lateral (
    select count(*) filter (where "lastReadSeq" > p."threadSeq") as ahead from thread_follows where "threadId" = p.id
  ) f on true
  where p.id in (select "threadId" from messages where "threadId" is not null)`

/** Compares a message's denormalized reactions, files and mentions with their tables. */
const MESSAGES = `
  with reacted as (
    select "messageId", jsonb_agg(jsonb_build_object('emoji', emoji, 'count', n, 'userIds', ids) order by since, emoji) as shown
    from (
      select "messageId", emoji, count(*) as n, min("createdAt") as since,
        (array_agg("userId" order by "createdAt", "userId"))[1:50] as ids
      from reactions group by "messageId", emoji
    ) it group by "messageId"
  ), attached as (
    select "messageId", jsonb_agg(id order by id) as ids, bool_and(state = 'ready' and "isShown" and size > 0) as ready
    from files where "messageId" is not null group by "messageId"
  ), called as (
    select "messageId", jsonb_agg("userId" order by "userId") filter (where "userId" is not null) as ids,
      count(*) filter (where "userId" is null) as broadcasts, min(seq) as lowest, max(seq) as highest,
      count(distinct ("channelId", "threadId", "authorId")) as places, min("authorId") as author
    from mentions group by "messageId"
  )
  select 'message ' || m.id as place, case
    when m.reactions <> coalesce(r.shown, '[]') then 'the reactions differ from their table'
    when (select coalesce(jsonb_agg(file -> 'id' order by file -> 'id'), '[]') from jsonb_array_elements(m.files) file)
      <> coalesce(a.ids, '[]') then 'the files differ from their table'
    when not a.ready then 'a file is not ready'
    when (select coalesce(jsonb_agg(distinct named -> 'userId'), '[]') from jsonb_array_elements(m.mentions) named
      where named ->> 'userId' <> m."userId") <> coalesce(c.ids, '[]') then 'the mentions differ from their table'
    when (m.broadcast is not null)::int <> coalesce(c.broadcasts, 0) then 'that it calls all is counted otherwise'
    when c.lowest <> m.seq or c.highest <> m.seq or c.places > 1 or c.author <> m."userId" then 'a mention has the wrong seq'
    when (m."deletedAt" is null) <> (s."messageId" is not null) then 'the search index is outdated'
    when m."deletedAt" is not null and m.content <> '' then 'it was deleted and still says something'
  end as fault
  from messages m
  left join reacted r on r."messageId" = m.id
  left join attached a on a."messageId" = m.id
  left join called c on c."messageId" = m.id
  left join message_search s on s."messageId" = m.id and s."channelId" = m."channelId"`

const FEW = 20

/**
 * Finds violations of the writer's rules, as sentences, a few of each kind. (channel, seq) and (author, clientId) are unique
 * anyway.
 * @param storage if given, the bytes of every file are checked as well
 */
export async function findFaults(pool: Pick<pg.Pool, 'query'>, storage?: Storage): Promise<string[]> {
  const faults: string[] = []
  for (const rules of [CHANNELS, THREADS, MESSAGES]) {
    const { rows } = await pool.query<{ place: string; fault: string }>(
      `select place, fault from (${rules}) it where fault is not null limit ${FEW}`,
    )
    faults.push(...rows.map(({ place, fault }) => `${place}: ${fault}`))
  }
  if (storage) faults.push(...(await missingBytes(pool, storage)))
  return faults
}

async function missingBytes(pool: Pick<pg.Pool, 'query'>, storage: Storage): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; name: string; size: number; thumbnailSize: number | null }>(
    `select id, name, size, "thumbnailSize" from files where state = 'ready'`,
  )
  const faults: string[] = []
  for (const { id, name, size, thumbnailSize } of rows)
    for (const [key, bytes] of [
      [storageKeyOf(id), size],
      [thumbnailKeyOf(id), thumbnailSize],
    ] as const) {
      const stream = bytes === null ? undefined : await storage.read(key, bytes)
      if (bytes !== null && !stream) faults.push(`file ${name}: its bytes are not there`)
      stream?.destroy()
    }
  return faults.slice(0, FEW)
}
