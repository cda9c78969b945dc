import { sql } from 'kysely'
import { DEFAULT_STATUS } from '#contract/users'
import { isQuiet } from './availability.ts'

const hasEnded = sql`users."statusUntil" <= now()`

/** In SQL: a user's current status and availability as seen by others. Expired ones stay in the row until `end-statuses.ts`. */
export const statusColumns = [
  sql<string>`case when ${hasEnded} then ${DEFAULT_STATUS} else users."statusEmoji" end`.as('user_status'),
  sql<string>`case when ${hasEnded} then '' else users."statusText" end`.as('statusText'),
  sql<string | null>`case when ${hasEnded} then null else users."statusUntil" end`.as('statusUntil'),
  sql<'away' | 'quiet' | null>`case when availability = 'away' then 'away' when ${isQuiet} then 'quiet' end`.as(
    'availability',
  ),
  sql<string | null>`case when ${isQuiet} then users."quietUntil" end`.as('quietUntil'),
] as const

/** In SQL: a value that changes whenever anybody's status does. */
export const statusesVersion = sql<string>`(
  select count(*) || '.' || sum(hashtext(concat_ws(
    '/', id, case when ${hasEnded} then null else concat_ws('/', "statusEmoji", "statusText", "statusUntil") end,
    case when availability = 'away' then 'away' when ${isQuiet} then "quietUntil"::text end
  ))) from users
)`
