import { sql } from 'kysely'
import type { Db } from './db/database.ts'

/** Channels in the shape of the contract, as one person sees them; who may see them is the caller's to ask. */
export const selectChannels = (db: Db, userId: string) =>
  db
    .selectFrom('channels')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.channelId', '=', 'channels.id').on('memberships.userId', '=', userId),
    )
    .where('channels.deletedAt', 'is', null)
    .select([
      'channels.id',
      'name',
      'topic',
      'ownerId',
      'channels.createdAt',
      'seq',
      'rev',
      sql<boolean>`kind <> 'public'`.as('isPrivate'),
      sql<boolean>`memberships."userId" is not null`.as('isMember'),
      sql<{ members: number }>`jsonb_build_object('members', "memberCount")`.as('_count'),
    ])
