import { PUBLIC_FILES } from '#contract/channel-name'
import { ASSISTANT } from '#contract/ids'
import type { Db } from '../db/database.ts'
import type { Services } from '../services.ts'
import { addMember, isMember, publishMemberJoined } from './memberships.ts'

/** Identifies the database: browsers drop their cache when it changes. */
export async function readEpoch(db: Db): Promise<string> {
  return (await db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()).epoch
}

/** The channel for files that were uploaded outside of any channel. */
export async function readPublicBucketId(db: Db): Promise<string> {
  const bucket = db.selectFrom('channels').select('id').where('name', '=', PUBLIC_FILES)
  return (await bucket.executeTakeFirstOrThrow()).id
}

/** The name of the folder that holds this workspace's files. */
export async function readFilesId(db: Db): Promise<string> {
  return (await db.selectFrom('workspace').select('filesId').executeTakeFirstOrThrow()).filesId
}

/**
 * Adds a user to #general; the first user becomes owner of the workspace and of #general. Called at every sign-in, in case
 * the server crashed between sign-up and this.
 * @returns false for deactivated users and for the assistant, who may not sign in
 */
export async function admitToWorkspace(services: Services, userId: string): Promise<boolean> {
  const { db, writer } = services
  if (userId === ASSISTANT) return false
  // Waits for a concurrent deactivation, which may have ended all sessions just before this one began.
  const user = await db
    .selectFrom('users')
    .select('deactivatedAt')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  if (user?.deactivatedAt) return false
  const { generalId } = await db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  if (await isMember(db, generalId, userId)) return true

  await writer.change(
    generalId,
    async (tx) => {
      // This locks #general, so of two first users at once only one becomes owner.
      const joined = await addMember(tx, generalId, userId)
      const owned = await tx
        .updateTable('workspace')
        .set({ ownerId: userId })
        .where('ownerId', 'is', null)
        .returning('ownerId')
        .executeTakeFirst()
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
