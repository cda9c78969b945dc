import { type Kysely, sql, type Transaction } from 'kysely'
import { flagNames, mapFlags } from '#contract/channel-flags'
import { directName, PUBLIC_FILES } from '#contract/channel-name'
import { type Channel, stateOf } from '#contract/channels'
import { limits } from '#contract/limits'
import type { NotificationLevel } from '#contract/notification-rule'
import { type Doors, readableChannel } from '../access/access.ts'
import { isReadable } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import type { Presence } from '../people/presence.ts'
import { selectProfiles, withStatus } from '../people/profiles.ts'

export const isGeneral = sql<boolean>`channels.id = (select "generalId" from workspace)`.as('isGeneral')

/** The number of unread messages in a channel that mention a user. Skips the lookup for channels with nothing unread. */
export const mentionsOf = (userId: string) => sql<number>`case when channels.seq > memberships."lastReadSeq" then (
  select count(*) from (
    select seq from mentions where mentions."userId" = ${userId} and mentions."channelId" = channels.id
      and "threadId" is null and seq > memberships."lastReadSeq"
    union
    select seq from mentions where mentions."userId" is null and mentions."channelId" = channels.id
      and "threadId" is null and seq > memberships."lastReadSeq"
      and "authorId" <> ${userId} and (audience is null or ${userId} = any(audience))
    limit ${sql.lit(limits.mentionsCounted)}
  ) unread
) else 0 end`

/** Channels as one user sees them. The caller checks access; `presentChannels` gives them the contract's shape. */
export const selectChannels = (db: Kysely<DB> | Transaction<DB>, userId: string) =>
  db
    .selectFrom('channels')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.channelId', '=', 'channels.id').on('memberships.userId', '=', userId),
    )
    .where('channels.deletedAt', 'is', null)
    .select([
      'channels.id',
      'kind',
      'channels.name',
      'topic',
      'ownerId',
      'channels.createdAt',
      'lastMessageAt',
      'seq',
      'rev',
      'memberCount',
      'archivedAt',
      'posting',
      'posters',
      'areRepliesOpen',
      'broadcasting',
      'channels.linkPreviews',
      'memberships.userId as memberId',
      'lastReadSeq',
      'readVersion',
      'memberships.notificationLevel',
      ...flagNames,
      isGeneral,
    ])
    .select(mentionsOf(userId).as('mentions'))

export type ChannelRow = Awaited<ReturnType<ReturnType<typeof selectChannels>['execute']>>[number]

/** Channels in the shape of the contract; one query reads the members of all direct messages. */
export async function presentChannels(app: { db: Db; presence: Presence }, rows: ChannelRow[]): Promise<Channel[]> {
  const membersOf = await readDirectMembers(app, rows)
  return rows.map(({ memberCount, memberId, lastReadSeq, readVersion, mentions, notificationLevel, ...row }) => {
    const members = membersOf(row.id)
    return {
      ...row,
      kind: row.kind as Channel['kind'],
      posting: row.posting as Channel['posting'],
      broadcasting: row.broadcasting as Channel['broadcasting'],
      // Derived from the current usernames, which can change.
      ...(row.kind === 'direct' && { name: directName(members.map(({ username }) => username)) }),
      isPrivate: row.kind !== 'public',
      _count: { members: memberCount },
      members,
      isMember: memberId !== null,
      ...mapFlags((flag) => row[flag] ?? undefined),
      ...(memberId !== null && { notificationLevel: notificationLevel as NotificationLevel | null }),
      ...(lastReadSeq !== null &&
        readVersion !== null && { lastReadSeq, readVersion, unread: row.seq - lastReadSeq, mentions }),
    }
  })
}

/** The members of each direct message among some channels. */
async function readDirectMembers(app: { db: Db; presence: Presence }, rows: { id: string; kind: string }[]) {
  const direct = rows.filter(({ kind }) => kind === 'direct').map(({ id }) => id)
  const people =
    direct.length > 0
      ? await selectProfiles(app.db)
          .innerJoin('memberships', 'memberships.userId', 'users.id')
          .where('memberships.channelId', 'in', direct)
          .select('memberships.channelId')
          .orderBy('username')
          .execute()
      : []
  const byChannel = Map.groupBy(people, ({ channelId }) => channelId)
  return (channelId: string) => (byChannel.get(channelId) ?? []).map((user) => withStatus(app.presence, user))
}

/** The state (`stateOf`) of each channel in a user's list, by channel id. */
export async function readChannelStates(
  app: { db: Db; presence: Presence },
  userId: string,
): Promise<Map<string, string>> {
  const rows = await selectChannels(app.db, userId)
    .clearSelect()
    .select(['channels.id', 'kind', 'rev', 'lastReadSeq', 'readVersion', 'memberships.notificationLevel', ...flagNames])
    .where(isReadable(userId))
    .where('channels.name', '<>', PUBLIC_FILES)
    .execute()
  const membersOf = await readDirectMembers(app, rows)
  return new Map(
    rows.map(({ notificationLevel, ...row }) => {
      const level = notificationLevel as NotificationLevel | null
      return [row.id, stateOf({ ...row, notificationLevel: level, members: membersOf(row.id) }, userId)]
    }),
  )
}

/** One channel as a user sees it. @throws AppError 404 if they may not read it */
export async function presentChannel(
  app: { db: Db; doors: Doors; presence: Presence },
  userId: string,
  channelId: string,
): Promise<Channel> {
  const row = await selectChannels(app.db, userId).where('channels.id', '=', channelId).executeTakeFirst()
  const [channel] = row ? await presentChannels(app, [row]) : []
  if (!channel) throw notFound('errors.channelNotFound')
  // Checked last: a user removed in the meantime must not see later changes.
  await readableChannel(app.doors, userId, channelId)
  return channel
}
