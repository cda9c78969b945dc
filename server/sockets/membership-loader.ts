import DataLoader from 'dataloader'
import type pg from 'pg'

const MEMBERSHIPS_STATEMENT = {
  name: 'memberships',
  text: `select w.epoch, w."peopleVersion",
      (select language from users where id = requested.person) as language,
      array(select "channelId" from memberships m where m."userId" = requested.person) as "channelIds"
    from unnest($1::text[]) with ordinality as requested(person, position) cross join workspace w order by requested.position`,
}

/** Loads the channels of users. All loads of one turn of the event loop share a query, which starts after the last. */
export function createMembershipLoader(pool: pg.Pool) {
  const load = async (userIds: readonly string[]) => {
    const values = [userIds]
    return (
      await pool.query<{ epoch: string; peopleVersion: number; language: string | null; channelIds: string[] }>({
        ...MEMBERSHIPS_STATEMENT,
        values,
      })
    ).rows
  }
  return new DataLoader(load, { cache: false, batchScheduleFn: setImmediate })
}
