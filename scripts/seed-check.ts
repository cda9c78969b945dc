import type pg from 'pg'

/** What must hold of every channel, by the name of what would be wrong. */
const RULES = `
  with told as (
    select c.id, c.name, c.seq, c.rev, c."selfRev", c."memberCount",
      m.n, m.lowest, m.highest, m.newest, p.members, p.ahead
    from channels c
    left join lateral (
      select count(*) as n, min(seq) as lowest, max(seq) as highest, max(rev) as newest
      from messages where "channelId" = c.id
    ) m on true
    left join lateral (
      select count(*) as members, count(*) filter (where "lastReadSeq" > c.seq) as ahead
      from memberships where "channelId" = c.id
    ) p on true
  )
  select name, case
    when n <> seq or (n > 0 and (lowest <> 1 or highest <> seq)) then 'its messages are not numbered without gaps'
    when greatest(newest, "selfRev") <> rev then 'its rev is not that of its newest change'
    when members <> "memberCount" then 'its members are miscounted'
    when ahead > 0 then 'somebody has read what was not said'
  end as fault
  from told`

/** The rules of the writer that do not hold, a sentence each; (channel, seq) and (author, clientId) are unique anyway. */
export async function findFaults(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; fault: string | null }>(RULES)
  return rows.flatMap(({ name, fault }) => (fault ? [`#${name}: ${fault}`] : []))
}
