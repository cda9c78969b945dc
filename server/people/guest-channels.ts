import { sql } from 'kysely'

/**
 * In SQL: the channels of a person that have guests. Guests receive events about people only through shared channels.
 * @param person the column with their id
 */
export const guestChannelsOf = (person: string) => sql<string[]>`array(
  select own."channelId" from memberships own where own."userId" = ${sql.ref(person)} and own."channelId" = any(array(
    select m."channelId" from users g join memberships m on m."userId" = g.id where g.role = 'guest'
  ))
)::text[]`
