import DataLoader from 'dataloader'
import type pg from 'pg'

const STATEMENT = {
  name: 'ready',
  text: `select w.epoch, w."peopleVersion", w.name as "workspaceName", w."emojiVersion",
      u.language, coalesce(u.role, 'guest') as role,
      case when u.role = 'guest' then
        greatest(0, extract(epoch from u."guestUntil" - clock_timestamp()) * 1000)::float8 end as "leftMs",
      array(select "channelId" from memberships m where m."userId" = requested.person
        and (u.role is distinct from 'guest' or u."guestUntil" > clock_timestamp())) as "channelIds"
    from unnest($1::text[]) with ordinality as requested(person, position)
    left join users u on u.id = requested.person cross join workspace w order by requested.position`,
}

/** The payload of `ready`, and what a socket needs to join its rooms. */
interface Ready {
  epoch: string
  peopleVersion: number
  workspaceName: string
  emojiVersion: number
  language: string | null
  role: string
  /** A guest's remaining time; null for everybody else. */
  leftMs: number | null
  channelIds: string[]
}

export type ReadyLoader = ReturnType<typeof createReadyLoader>

/** Loads `Ready` by user. All loads of one turn of the event loop share a query, which starts after the last of them. */
export function createReadyLoader(pool: pg.Pool) {
  const load = async (userIds: readonly string[]) => {
    const values = [userIds]
    return (
      await pool.query<Ready>({
        ...STATEMENT,
        values,
      })
    ).rows
  }
  return new DataLoader(load, { cache: false, batchScheduleFn: setImmediate })
}
