import { sql, type Transaction } from 'kysely'
import { PUBLIC_FILES } from '#contract/channel-name'
import { ASSISTANT } from '#contract/ids'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { addMember, isMember, publishMemberJoined } from './memberships.ts'

/** The channel of files uploaded outside of any channel. */
export async function readPublicBucketId(db: Db): Promise<string> {
  const bucket = db.selectFrom('channels').select('id').where('name', '=', PUBLIC_FILES)
  return (await bucket.executeTakeFirstOrThrow()).id
}

/** The name of the folder with this workspace's files. */
export async function readFilesId(db: Db): Promise<string> {
  return (await db.selectFrom('workspace').select('filesId').executeTakeFirstOrThrow()).filesId
}

/**
 * Adds a user to #general, or a guest to the channels of their invite. Its founder becomes owner of the workspace and of
 * #general. Called at every sign-in, in case the server crashed between sign-up and this.
 * @returns false for deactivated users and for the assistant, who may not sign in
 */
export async function admitToWorkspace(services: Services, userId: string): Promise<boolean> {
  const { db, writer } = services
  if (userId === ASSISTANT) return false
  // Waits for a concurrent deactivation, which may have ended all sessions just before this one began.
  const user = await db
    .selectFrom('users')
    .select([
      'deactivatedAt',
      'role',
      'isFounder',
      sql<boolean>`coalesce("guestUntil" <= clock_timestamp(), false)`.as('hasEnded'),
    ])
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  if (user?.deactivatedAt) return false
  if (user?.role === 'guest') {
    if (user.hasEnded) return false
    await enterGuestChannels(services, userId)
    return true
  }
  const { generalId } = await db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  if (await isMember(db, generalId, userId)) return true

  await writer.change(
    generalId,
    async (tx) => {
      const joined = await addMember(tx, generalId, userId)
      const owned =
        user?.isFounder &&
        (await tx
          .updateTable('workspace')
          .set({ ownerId: userId })
          .where('ownerId', 'is', null)
          .returning('ownerId')
          .executeTakeFirst())
      if (owned) {
        await tx.updateTable('users').set({ role: 'owner' }).where('id', '=', userId).execute()
        await tx.updateTable('channels').set({ ownerId: userId }).where('id', '=', generalId).execute()
      }
      return joined
    },
    (joined) => publishMemberJoined(services, generalId, userId, joined),
  )
  return true
}

/**
 * Enters each channel once: signing in does not bring a removed guest back. Only channels that the inviter is still in; archived
 * ones wait until they are restored.
 */
async function enterGuestChannels(services: Services, userId: string) {
  const { db, writer } = services
  // Only members are shown the first steps.
  await db
    .updateTable('users')
    .set({ isWelcomed: true })
    .where('id', '=', userId)
    .where('isWelcomed', '=', false)
    .execute()
  const invited = await db.selectFrom('guest_channels').select('channelId').where('userId', '=', userId).execute()
  for (const { channelId } of invited)
    await writer.change(
      channelId,
      async (tx) => {
        const channel = tx.selectFrom('channels').select(['deletedAt', 'archivedAt']).where('id', '=', channelId)
        const { deletedAt, archivedAt } = (await channel.forNoKeyUpdate().executeTakeFirst()) ?? {}
        if (archivedAt) return undefined
        const left = tx.deleteFrom('guest_channels').where('userId', '=', userId).where('channelId', '=', channelId)
        if ((await left.executeTakeFirst()).numDeletedRows === 0n || deletedAt !== null) return undefined
        return (await isInviterIn(tx, channelId, userId)) ? addMember(tx, channelId, userId) : undefined
      },
      (joined) => publishMemberJoined(services, channelId, userId, joined),
    )
}

async function isInviterIn(tx: Transaction<DB>, channelId: string, userId: string) {
  const membership = tx
    .selectFrom('users')
    .innerJoin('invites', 'invites.id', 'users.inviteId')
    .innerJoin('memberships', 'memberships.userId', 'invites.createdBy')
    .select('memberships.userId')
    .where('users.id', '=', userId)
    .where('memberships.channelId', '=', channelId)
  return (await membership.executeTakeFirst()) !== undefined
}
