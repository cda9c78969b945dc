import { PUBLIC_FILES } from '#contract/channel-name'
import { ASSISTANT } from '#contract/ids'
import type { Db } from '../db/database.ts'
import type { Services } from '../services.ts'
import { addMember, isMember, publishMemberJoined } from './memberships.ts'

/** Tells which database this is: browsers drop their cache when it changes. */
export async function readEpoch(db: Db): Promise<string> {
  return (await db.selectFrom('workspace').select('epoch').executeTakeFirstOrThrow()).epoch
}

/** The channel of files that nobody put into a channel. */
export async function readPublicBucketId(db: Db): Promise<string> {
  const bucket = db.selectFrom('channels').select('id').where('name', '=', PUBLIC_FILES)
  return (await bucket.executeTakeFirstOrThrow()).id
}

/** The name of the folder that holds this workspace's files. */
export async function readFilesId(db: Db): Promise<string> {
  return (await db.selectFrom('workspace').select('filesId').executeTakeFirstOrThrow()).filesId
}

/**
 * Lets a person in: everyone is in #general, and the first one owns the workspace and #general.
 * Asked at every sign-in, so that a crash between sign-up and this leaves nobody outside.
 * @returns whether they may come in; those who were deactivated may not, and nobody comes as the assistant
 */
export async function admitToWorkspace(services: Services, userId: string): Promise<boolean> {
  const { db, writer } = services
  if (userId === ASSISTANT) return false
  // Waits for a deactivation that is under way: it may have ended all sessions just before this one began.
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
      // This locks #general, so two first people at once make one owner.
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
