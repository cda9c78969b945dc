import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql, type Transaction } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { AppError, notFound, unauthenticated, unavailable } from '../errors.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Logger } from '../process/logger.ts'
import { fold } from '../text/fold.ts'
import { sanitizeFileName } from './file-name.ts'
import { type FileRow, fileColumns } from './file-rows.ts'
import { detectType, isPicture } from './file-type.ts'
import { type Incoming, tooLarge } from './incoming-stream.ts'
import { type Storage, storageKeyOf, thumbnailKeyOf } from './storage.ts'
import { makeThumbnail } from './thumbnail.ts'

interface FileServices {
  bounds: Bounds
  config: Config
  db: Db
  log: Logger
  storage: Storage
}

/** Milliseconds; sweep.ts takes an upload for abandoned when its row has not moved for ten times as long. */
const ALIVE = 60_000
/** What a file counts for at the least, so that a quota bounds their number too. */
const LEAST = 4096

const overQuota = () => new AppError(507, 'quota_exceeded', 'Your storage is full; delete some files')

/** How many bytes one more file of a person may have. @throws AppError 507 where there is no room at all */
export async function remainingQuota({ config, db }: Pick<FileServices, 'config' | 'db'>, me: string) {
  const { maxFileSize, fileQuota } = config
  if (fileQuota === undefined) return { bytes: maxFileSize, refused: () => tooLarge(maxFileSize) }
  const left = fileQuota - (await usedBy(db, me))
  if (left < LEAST) throw overQuota()
  return left < maxFileSize
    ? { bytes: left, refused: overQuota }
    : { bytes: maxFileSize, refused: () => tooLarge(maxFileSize) }
}

/** Bytes of what is there; what is still coming counts when it has come. */
const usedBy = async (db: Db | Transaction<DB>, userId: string) =>
  (
    await db
      .selectFrom('files')
      .select(sql<number>`coalesce(sum(greatest(size, ${sql.lit(LEAST)})), 0)::bigint`.as('used'))
      .where('userId', '=', userId)
      .where('state', '=', 'ready')
      .executeTakeFirstOrThrow()
  ).used

/**
 * Keeps the bytes of a file under a row that nobody sees yet. The row is there before them, so that whatever happens in
 * between, the sweep finds what is to be removed.
 * @param begun hears the id as soon as there is something to remove
 */
export async function storeFile(
  services: FileServices,
  me: string,
  given: { name: string; claimed: string },
  { bytes, passed }: Incoming,
  begun: (id: string) => void,
) {
  const { bounds, db, storage, log } = services
  const id = newId()
  // The stream may fail before anybody reads it.
  bytes.on('error', () => {})
  const name = sanitizeFileName(given.name)
  await db
    .insertInto('files')
    .values({ id, userId: me, name, foldedName: fold(name) })
    .execute()
  begun(id)
  const timer = setInterval(() => {
    const touched = db.updateTable('files').set({ touchedAt: sql`clock_timestamp()` }).where('id', '=', id)
    touched
      .execute()
      .catch((error) => log.warn({ reason: error.message }, 'an upload could not be told from a dead one'))
  }, ALIVE)
  try {
    await storage.write(storageKeyOf(id), bytes)
    const { size, sample } = passed()
    const type = await detectType(sample, given.claimed)
    const mayLook = isPicture(type) && size <= bounds.picture.file
    const picture = mayLook ? await makeThumbnail(() => readWhole(services, id, size), bounds.picture) : undefined
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
  if (!bytes) throw unavailable()
  return buffer(bytes)
}

/**
 * From here on the file is there: for all readers of its channel, or for its uploader alone until its message is sent.
 * @throws AppError 507 where others of the same person came first and used up the room, 401 where the person may not
 * come in any more, 404 where they were removed in this moment
 */
export async function completeUpload(
  { db, config }: Pick<FileServices, 'config' | 'db'>,
  me: string,
  id: string,
  { channelId, forMessage, membersOnly }: { channelId: string; forMessage: boolean; membersOnly: boolean },
): Promise<FileRow> {
  return db.transaction().execute(async (tx) => {
    // One file of a person after the other, and none beside their deactivation.
    const person = tx.selectFrom('users').select('deactivatedAt').where('id', '=', me).forNoKeyUpdate()
    if ((await person.executeTakeFirst())?.deactivatedAt !== null) throw unauthenticated()
    if (membersOnly) {
      // Nor beside their removal: it waits for this, or this for it.
      const membership = tx.selectFrom('memberships').where('channelId', '=', channelId).where('userId', '=', me)
      if (!(await membership.select('userId').forShare().executeTakeFirst())) throw notFound('Channel')
    }
    const file = await tx
      .updateTable('files')
      .set({ channelId, isShown: !forMessage, state: 'ready', touchedAt: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .returning(fileColumns)
      .executeTakeFirst()
    // It stood still for so long that it was swept.
    if (!file) throw unavailable()
    if (config.fileQuota !== undefined && (await usedBy(tx, me)) > config.fileQuota) throw overQuota()
    return { ...file, channelId }
  })
}

/**
 * Takes back a file of which nobody was told: its upload failed, or its uploader was gone before the answer, and will send
 * it again. Where that fails too, the sweep does it, unless the file was there already.
 */
export async function discardUpload({ db, storage, log }: Pick<FileServices, 'db' | 'log' | 'storage'>, id: string) {
  try {
    await db
      .updateTable('files')
      .set({ state: 'gone', isShown: false, touchedAt: sql`clock_timestamp()` })
      .where('id', '=', id)
      .where('messageId', 'is', null)
      .execute()
    const now = await db.selectFrom('files').select('state').where('id', '=', id).executeTakeFirst()
    if (now?.state === 'ready') return
    await storage.remove([storageKeyOf(id), thumbnailKeyOf(id)])
    await db.deleteFrom('files').where('id', '=', id).execute()
  } catch (error) {
    log.warn({ err: error }, 'an upload that failed is left to the sweep')
  }
}
