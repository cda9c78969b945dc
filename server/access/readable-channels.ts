import { type RawBuilder, sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'

/** Whether a user may read public channels without being a member, that is, isn't a guest. Evaluated once per query. */
const readsPublic = (me: string) =>
  sql<boolean>`not exists (select from users where users.id = ${me} and role = 'guest')`

/** False for a guest whose time has ended: their memberships end with it, even before they are signed out. Evaluated once. */
export const isHere = (me: string) =>
  sql<boolean>`not exists (select from users where users.id = ${me} and role = 'guest' and "guestUntil" <= clock_timestamp())`

/** Whether a channel has guests, who must learn nothing about other channels there. Evaluated once per query. */
const hasGuests = (channelId: string) =>
  sql<boolean>`exists (select from memberships m join users u on u.id = m."userId" where m."channelId" = ${channelId} and u.role = 'guest')`

/**
 * `can.readIn` in SQL: every query over many channels uses this or `isReadable`.
 * @returns the ids of all channels that a user may read
 * @param only restricts the result to these channels
 * @param sharedWith a channel whose readers will see the result; it excludes all other private channels, and all others if
 * guests are among them
 */
export const readableChannels = (me: string, only: string[] | null, sharedWith?: string) => sql<{ id: string }>`
  select c.id from channels c where c."deletedAt" is null and c.kind = 'public' and ${readsPublic(me)} ${within(only)}
    ${sharedWith === undefined ? sql`` : sql`and not ${hasGuests(sharedWith)}`}
  union all
  select c.id from memberships m join channels c on c.id = m."channelId"
  where m."userId" = ${me} and c."deletedAt" is null and ${isHere(me)}
    and (c.kind <> 'public' or not ${readsPublic(me)} ${sharedWith === undefined ? sql`` : sql`or ${hasGuests(sharedWith)}`})
    ${within(only)}
    ${within(sharedWith === undefined ? null : [sharedWith])}`

const within = (only: string[] | null) => (only ? sql`and c.id = any(${only}::uuid[])` : sql``)

/**
 * Whether a user may read a channel, in a query that left-joins their own membership.
 * @param channel alias of the channel's table in the query
 * @param membership alias of the user's membership
 */
export const isReadable = (me: string, channel = 'channels', membership = 'memberships'): RawBuilder<boolean> =>
  sql<boolean>`((${sql.ref(`${channel}.kind`)} = 'public' and ${readsPublic(me)})
    or (${sql.ref(`${membership}.userId`)} is not null and ${isHere(me)}))`

/**
 * Whether a user may read a channel, in a query without their memberships. Looks these up only for channels that are not public,
 * so it is cheaper if most are.
 */
export const isReadableBy = (me: string): RawBuilder<boolean> =>
  sql<boolean>`((channels.kind = 'public' and ${readsPublic(me)}) or (${isHere(me)} and exists (
    select from memberships own where own."channelId" = channels.id and own."userId" = ${me}
  )))`

/**
 * `can.seeEverybody` in SQL: whether a user may know another one. Guests know themselves, the assistant, and the people in their
 * channels and direct messages.
 */
export const isKnownTo = (me: string, person: string): RawBuilder<boolean> =>
  sql<boolean>`(${readsPublic(me)} or ${sql.ref(person)} in (${me}, ${ASSISTANT}) or (${isHere(me)} and exists (
    select from memberships mine join channels shared on shared.id = mine."channelId" and shared."deletedAt" is null
    join memberships theirs on theirs."channelId" = mine."channelId" and theirs."userId" = ${sql.ref(person)}
    where mine."userId" = ${me}
  )))`
