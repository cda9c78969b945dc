import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql, type Transaction } from 'kysely'
import { fold } from '#contract/fold'
import type { Config } from '../config/config.ts'
import { isBackupRunning } from '../db/backup-lock.ts'
import type { Db } from '../db/database.ts'
import { idAt, newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import {
  fileTooLarge,
  mayNotPost,
  notFound,
  type PostRefusal,
  quotaExceeded,
  unauthenticated,
  unavailable,
} from '../errors.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Logger } from '../process/logger.ts'
import { sanitizeFileName } from './file-name.ts'
import { type FileRow, fileColumns } from './file-rows.ts'
import { detectType, isPicture } from './file-type.ts'
import type { Incoming } from './incoming-stream.ts'
import { type Storage, storageKeyOf, thumbnailKeyOf } from './storage.ts'
import { makeThumbnail } from './thumbnail.ts'

interface FileServices {
  bounds: Bounds
  config: Config
  db: Db
  log: Logger
  storage: Storage
}

/** `sweep-files.ts` considers an upload abandoned after ten missed heartbeats. */
const HEARTBEAT_INTERVAL_MS = 60_000
/** Each file counts for at least this much, so that the quota also limits their number. */
const MIN_COUNTED_BYTES = 4096

/** The maximum size of a user's next file. @throws AppError 507 if the quota is used up */
export async function remainingQuota({ config, db }: Pick<FileServices, 'config' | 'db'>, me: string) {
  const { maxFileSize, fileQuota } = config
  if (fileQuota === undefined) return { bytes: maxFileSize, refused: () => fileTooLarge(maxFileSize) }
  const left = fileQuota - (await usedBy(db, me))
  if (left < MIN_COUNTED_BYTES) throw quotaExceeded()
  return left < maxFileSize
    ? { bytes: left, refused: quotaExceeded }
    : { bytes: maxFileSize, refused: () => fileTooLarge(maxFileSize) }
}

/** Bytes of completed uploads. */
const usedBy = async (db: Db | Transaction<DB>, userId: string) =>
  (
    await db
      .selectFrom('files')
      .select(sql<number>`coalesce(sum(greatest(size, ${sql.lit(MIN_COUNTED_BYTES)})), 0)::bigint`.as('used'))
      .where('userId', '=', userId)
      .where('state', '=', 'ready')
      .executeTakeFirstOrThrow()
  ).used

/**
 * Stores the bytes of a file under a hidden row. The row is inserted first, so that the sweep finds it if the process dies.
 * @param at the time of the upload in milliseconds, if not now
 * @param onStart receives the id as soon as there is something to clean up
 */
export async function storeFile(
  services: FileServices,
  me: string,
  { name: originalName, claimed, at }: { name: string; claimed: string; at?: number },
  { bytes, received }: Incoming,
  onStart: (id: string) => void,
) {
  const { bounds, db, storage, log } = services
  const id = at === undefined ? newId() : idAt(at, 0)
  // The stream may fail before anything reads it.
  bytes.on('error', () => {})
  const name = sanitizeFileName(originalName)
  await db
    .insertInto('files')
    .values({ id, userId: me, name, foldedName: fold(name) })
    .execute()
  onStart(id)
  const timer = setInterval(() => {
    const touched = db.updateTable('files').set({ touchedAt: sql`clock_timestamp()` }).where('id', '=', id)
    touched.execute().catch((error) => log.warn({ reason: error.message }, 'the heartbeat of an upload failed'))
  }, HEARTBEAT_INTERVAL_MS)
  try {
    await storage.write(storageKeyOf(id), bytes, at === undefined ? me : undefined)
    const { size, sample } = received()
    const type = await detectType(sample, claimed)
    const canHaveThumbnail = isPicture(type) && size <= bounds.pictureBytes.file
    const picture = canHaveThumbnail
      ? await makeThumbnail(() => readWhole(services, id, size), bounds.pictureBytes)
      : undefined
    if (picture) await storage.write(thumbnailKeyOf(id), Readable.from([picture.thumbnail]))
    const { width = null, height = null } = picture ?? {}
    await db
      .updateTable('files')
      .set({
        type,
        size,
        width,
        height,
        thumbnailSize: picture?.thumbnail.length ?? null,
        touchedAt: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute()
    return id
  } finally {
    clearInterval(timer)
  }
}

async function readWhole({ storage }: FileServices, id: string, size: number) {
  const bytes = await storage.read(storageKeyOf(id), size)
  if (!bytes) throw unavailable('the uploaded file is missing in the storage')
  return buffer(bytes)
}

/**
 * Makes an uploaded file visible: to all readers of its channel, or only to its uploader until its message is sent.
 * @throws AppError 507 if concurrent uploads of the same user have used up the quota, 401 if the user was deactivated, 404 if
 * they were removed from the channel
 */
export async function completeUpload(
  { db, config }: Pick<FileServices, 'config' | 'db'>,
  me: string,
  id: string,
  { channelId, forMessage, membersOnly }: { channelId: string; forMessage: boolean; membersOnly: boolean },
): Promise<FileRow> {
  return db.transaction().execute(async (tx) => {
    // Serializes the uploads of a user with each other and with a deactivation.
    const locked = tx.selectFrom('users').select('deactivatedAt').where('id', '=', me).forNoKeyUpdate()
    const person = await locked.executeTakeFirst()
    if (person?.deactivatedAt !== null) throw unauthenticated()
    // Serializes with archiving. The public bucket belongs to no conversation.
    const conversation = forMessage ? 'reply' : 'post'
    const { rows } = await sql<{ why: PostRefusal | null }>`
      select post_refusal_2(channels, ${me}, ${membersOnly ? conversation : 'change'}) as why
      from channels where id = ${channelId}::uuid for share
    `.execute(tx)
    const why = rows[0]?.why
    if (why) throw mayNotPost(why)
    if (membersOnly) {
      // Serializes with a removal from the channel.
      const membership = tx.selectFrom('memberships').where('channelId', '=', channelId).where('userId', '=', me)
      if (!(await membership.select('userId').forShare().executeTakeFirst())) throw notFound('errors.channelNotFound')
    }
    const file = await tx
      .updateTable('files')
      .set({ channelId, isShown: !forMessage, state: 'ready', touchedAt: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .returning(fileColumns)
      .executeTakeFirst()
    // The upload stalled for so long that it was swept.
    if (!file) throw unavailable('the upload stalled and was swept')
    if (config.fileQuota !== undefined && (await usedBy(tx, me)) > config.fileQuota) throw quotaExceeded()
    return { ...file, channelId }
  })
}

/**
 * Discards a file that was never announced: its upload failed, or the uploader disconnected before the response and will retry.
 * If that fails as well, the sweep removes it, unless the file was completed.
 */
export async function discardUpload({ db, storage, log }: Pick<FileServices, 'db' | 'log' | 'storage'>, id: string) {
  try {
    await db
      .updateTable('files')
      .set({ state: 'gone', isShown: false, touchedAt: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where('messageId', 'is', null)
      .execute()
    const current = await db.selectFrom('files').select('state').where('id', '=', id).executeTakeFirst()
    // The snapshot of a running backup may refer to it: the sweep removes it later.
    if (current?.state === 'ready' || (await isBackupRunning(db))) return
    await storage.remove([storageKeyOf(id), thumbnailKeyOf(id)])
    await db.deleteFrom('files').where('id', '=', id).execute()
  } catch (error) {
    log.warn({ err: error }, 'a failed upload is left to the sweep')
  }
}
