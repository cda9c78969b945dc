import { type RawBuilder, sql } from 'kysely'

/**
 * `can.readIn` in SQL: every query over many channels uses this or `isReadable`.
 * @returns the ids of all channels that a user may read
 * @param only restricts the result to these channels
 * @param sharedWith a channel whose readers will see the result; it excludes all other private channels
 */
export const readableChannels = (me: string, only: string[] | null, sharedWith?: string) => sql`
  select c.id from channels c where c."deletedAt" is null and c.kind = 'public' ${within(only)}
  union all
  select c.id from memberships m join channels c on c.id = m."channelId"
  where m."userId" = ${me} and c."deletedAt" is null and c.kind <> 'public' ${within(only)}
    ${within(sharedWith === undefined ? null : [sharedWith])}`

const within = (only: string[] | null) => (only ? sql`and c.id = any(${only}::uuid[])` : sql``)

/**
 * Whether a user may read a channel, in a query that left-joins their own membership.
 * @param channel alias of the channel's table in the query
 * @param membership alias of the user's membership
 */
export const isReadable = (channel = 'channels', membership = 'memberships'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${channel}.kind`)} = 'public' or ${sql.ref(`${membership}.userId`)} is not null)`
