import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import {
  cancelScheduled,
  changeScheduled,
  listScheduled,
  type ScheduledMessage,
  scheduleMessage,
  sendScheduled,
} from '#contract/scheduled-messages'
import { memberChannel, memberMessage } from '../../access/access.ts'
import { postRefusal, type WritingAct } from '../../access/post-refusal.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import {
  conflict,
  invalid,
  invalidField,
  mayNotPost,
  noSuchFile,
  notAParent,
  notFound,
  unauthenticated,
} from '../../errors.ts'
import { selectFiles } from '../../files/file-rows.ts'
import { requireBroadcast } from '../../messages/may-post.ts'
import { resolveMentions } from '../../messages/mentions.ts'
import { isWithinYear } from '../../people/availability.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { type HandlerInput, route } from '../../route.ts'
import {
  freeFiles,
  isKeyTaken,
  newScheduledKey,
  presentScheduled,
  type ScheduledRow,
  selectScheduled,
} from '../../scheduled/scheduled-rows.ts'
import { sendScheduledMessage } from '../../scheduled/send-scheduled.ts'
import { finishSend } from './finish-send.ts'

/** Messages that are sent at a time: each person's own. */
export default async function scheduledMessages(app: FastifyInstance) {
  const { db, doors, publish, turns } = app

  route(app, listScheduled, ({ me }) =>
    turns(me, async () =>
      presentScheduled(
        db,
        await selectScheduled(db).where('userId', '=', me).orderBy('sendAt').orderBy('id').execute(),
      ),
    ),
  )

  route(app, { ...scheduleMessage, rate: 'sends' }, async ({ body, me, reply }) => {
    const { channelId, threadId = null, content, fileIds = [] } = body
    const alsoToChannel = threadId !== null && body.alsoToChannel === true
    const clientId = body.clientId ?? newScheduledKey()
    // A repeat is no new message, whatever has happened since the first attempt.
    const isRepeat = (await selectScheduled(db).where(hasKey(me, clientId)).executeTakeFirst()) !== undefined
    const channelName = isRepeat ? null : await requirePlace(me, body)
    const sendAt = isRepeat ? body.sendAt : timeOf(body.sendAt)
    const { row, isNew } = await db.transaction().execute(async (tx) => {
      await lockAuthor(tx, me)
      const held = await selectScheduled(tx).where(hasKey(me, clientId)).executeTakeFirst()
      if (held?.channelId === channelId && held.threadId === threadId) return { row: held, isNew: false }
      if (held) throw conflict('client_id_reused', 'errors.clientIdReused')
      if (isRepeat || (await isKeyTaken(tx, me, clientId)))
        throw conflict('client_id_reused', 'errors.scheduledNotFound')
      await requireRoom(tx, me)
      const id = newId()
      const place = { channelId, channelName, threadId }
      const times = { sendAt, nextTryAt: sendAt }
      await tx
        .insertInto('scheduled_messages')
        .values({ id, userId: me, ...place, alsoToChannel, content, clientId, fileIds, ...times })
        .execute()
      await reserveFiles(tx, { id, userId: me, channelId, fileIds })
      return { row: await findOwn(tx, me, id).executeTakeFirstOrThrow(), isNew: true }
    })
    if (isNew) publish(userRoom(me), 'scheduled:changed', { id: row.id, hasFailed: false })
    else reply.status(200)
    return present(row)
  })

  route(app, changeScheduled, async ({ params: { scheduledId }, body, me }) => {
    const sendAt = body.sendAt === undefined ? undefined : timeOf(body.sendAt)
    const { row, isChanged } = await db.transaction().execute(async (tx) => {
      await lockAuthor(tx, me)
      const held = await findOwn(tx, me, scheduledId).forUpdate().executeTakeFirst()
      if (!held) throw notFound('errors.scheduledNotFound')
      const { content = held.content, before = held.content } = body
      const isEdited = content !== held.content
      if (isEdited && before !== held.content) throw conflict('edit_conflict', 'errors.editConflict')
      const isMoved = sendAt !== undefined && (held.failure !== null || sendAt !== held.sendAt)
      if (!isEdited && !isMoved) return { row: held, isChanged: false }
      const fileIds = await withoutLost(tx, { ...held, content })
      const again = isMoved ? { sendAt, nextTryAt: sendAt, failure: null } : {}
      await tx
        .updateTable('scheduled_messages')
        .set({ content, fileIds, ...again, rev: sql<number>`rev + 1` })
        .where('id', '=', scheduledId)
        .execute()
      return { row: await findOwn(tx, me, scheduledId).executeTakeFirstOrThrow(), isChanged: true }
    })
    if (isChanged) publish(userRoom(me), 'scheduled:changed', { id: row.id, hasFailed: false })
    return present(row)
  })

  route(app, cancelScheduled, async ({ params: { scheduledId }, me }) => {
    await db.transaction().execute(async (tx) => {
      const held = await findOwn(tx, me, scheduledId).forUpdate().executeTakeFirst()
      if (!held) throw notFound('errors.scheduledNotFound')
      await freeFiles(tx, held)
      await tx.deleteFrom('scheduled_messages').where('id', '=', scheduledId).execute()
    })
    publish(userRoom(me), 'scheduled:changed', { id: scheduledId, hasFailed: false })
    return undefined
  })

  route(app, { ...sendScheduled, rate: 'sends' }, async ({ params: { scheduledId }, me, reply }) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const row = await findOwn(db, me, scheduledId).executeTakeFirst()
      if (!row) throw notFound('errors.scheduledNotFound')
      const fileIds = row.failure ? await db.transaction().execute((tx) => withoutLost(tx, row)) : row.fileIds
      const message = await sendScheduledMessage(app, { ...row, fileIds })
      if (message) return finishSend(app, reply, { message, isNew: true })
    }
    throw conflict('edit_conflict', 'errors.editConflict')
  })

  const present = async (row: ScheduledRow) => (await presentScheduled(db, [row]))[0] as ScheduledMessage

  /** Refuses what could not be sent now either. Returns the channel's name. */
  async function requirePlace(
    me: string,
    { channelId, threadId, alsoToChannel, content, clientId }: HandlerInput<typeof scheduleMessage>['body'],
  ) {
    const { channel, threadId: parentOfParent } = threadId
      ? await memberMessage(app, me, threadId)
      : { channel: await memberChannel(doors, me, channelId), threadId: null }
    if (channel.id !== channelId) throw invalidField('threadId', 'errors.inAnotherChannel')
    if (parentOfParent) throw notAParent()
    for (const act of actsOf(threadId, alsoToChannel)) {
      const why = await postRefusal(db, me, channelId, act)
      if (why) throw mayNotPost(why)
    }
    await requireBroadcast(app, me, channelId, await resolveMentions(app, me, channelId, content), clientId ?? null)
    return channel.kind === 'direct' ? null : channel.name
  }
}

/** What somebody needs the right to do. */
function actsOf(threadId: string | undefined, alsoToChannel: boolean | undefined): WritingAct[] {
  if (!threadId) return ['post']
  return alsoToChannel ? ['reply', 'post'] : ['reply']
}

const findOwn = (db: Parameters<typeof selectScheduled>[0], me: string, id: string) =>
  selectScheduled(db).where('id', '=', id).where('userId', '=', me)

const hasKey = (me: string, clientId: string) => sql<boolean>`"userId" = ${me} and "clientId" = ${clientId}`

/** How often a message that is changed meanwhile is read again before it is sent. */
const MAX_ATTEMPTS = 3

/** A time to send at, in the precision of the database. */
function timeOf(sendAt: string): string {
  if (!isWithinYear(sendAt)) throw invalidField('sendAt', 'errors.notAnEnd')
  return new Date(sendAt).toISOString()
}

/** One change at a time, so that their number stays within the limit, and none after their account was deleted. */
async function lockAuthor(tx: Transaction<DB>, me: string) {
  const locked = tx.selectFrom('users').select('deactivatedAt').where('id', '=', me).forNoKeyUpdate()
  if ((await locked.executeTakeFirst())?.deactivatedAt !== null) throw unauthenticated()
}

async function requireRoom(tx: Transaction<DB>, me: string) {
  const { scheduled } = await tx
    .selectFrom('scheduled_messages')
    .select((row) => row.fn.countAll<number>().as('scheduled'))
    .where('userId', '=', me)
    .executeTakeFirstOrThrow()
  if (scheduled >= limits.scheduled)
    throw conflict('too_many_scheduled', problem('errors.tooManyScheduled', { max: limits.scheduled }))
}

/** The files of a message, without those that are gone, such as with their channel. @throws AppError 400 if nothing is left of it */
async function withoutLost(tx: Transaction<DB>, { id, content, fileIds }: ScheduledRow): Promise<string[]> {
  const found = fileIds.length > 0 ? await selectFiles(tx).where('scheduledId', '=', id).execute() : []
  const held = new Set(found.map((file) => file.id))
  if (content === '' && held.size === 0) throw invalid('errors.emptyMessage', { content: problem('errors.empty') })
  return fileIds.filter((fileId) => held.has(fileId))
}

/** Keeps uploaded files until the message is sent. */
async function reserveFiles(
  tx: Transaction<DB>,
  { id, userId, channelId, fileIds }: Pick<ScheduledRow, 'id' | 'userId' | 'channelId' | 'fileIds'>,
) {
  if (fileIds.length === 0) return
  const own = selectFiles(tx).select('files.scheduledId').where('id', 'in', fileIds).where('userId', '=', userId)
  const found = await own.where('channelId', '=', channelId).orderBy('id').forUpdate().execute()
  if (found.length < fileIds.length) throw noSuchFile()
  if (found.some(({ messageId }) => messageId)) throw conflict('file_attached', 'errors.fileAttached')
  if (found.some(({ scheduledId }) => scheduledId)) throw conflict('file_attached', 'errors.fileScheduled')
  const touchedAt = sql<string>`clock_timestamp()`
  await tx.updateTable('files').set({ scheduledId: id, touchedAt }).where('id', 'in', fileIds).execute()
}
