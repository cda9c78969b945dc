import { type RawBuilder, sql } from 'kysely'

/**
 * The rule of `can.readIn` for queries over many channels: every call that lists across channels uses one of these two.
 * @returns the ids of all channels that a person may read
 * @param only restricts the result to these channels
 * @param sharedWith a channel whose readers see the result too: of the private channels this one alone
 */
export const readableChannels = (me: string, only: string[] | null, sharedWith?: string) => sql`
  select c.id from channels c where c."deletedAt" is null and c.kind = 'public' ${within(only)}
  union all
  select c.id from memberships m join channels c on c.id = m."channelId"
  where m."userId" = ${me} and c."deletedAt" is null and c.kind <> 'public' ${within(only)}
    ${within(sharedWith === undefined ? null : [sharedWith])}`

const within = (only: string[] | null) => (only ? sql`and c.id = any(${only}::uuid[])` : sql``)

/**
 * Whether a person may read a channel, in a query that left-joins their own membership.
 * @param channel the channel's name in the query, and `membership` that of the person's membership
 */
export const isReadable = (channel = 'channels', membership = 'memberships'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${channel}.kind`)} = 'public' or ${sql.ref(`${membership}.userId`)} is not null)`
