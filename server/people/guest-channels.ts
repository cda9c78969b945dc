import { sql } from 'kysely'

/**
 * In SQL: those of somebody's channels that guests are in, who hear of people only there.
 * @param person the column with their id
 */
export const guestChannelsOf = (person: string) => sql<string[]>`array(
  select own."channelId" from memberships own where own."userId" = ${sql.ref(person)} and own."channelId" = any(array(
    select m."channelId" from users g join memberships m on m."userId" = g.id where g.role = 'guest'
  ))
)::text[]`
