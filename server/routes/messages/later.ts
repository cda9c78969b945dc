import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { problem } from '#contract/errors'
import {
  addLater,
  changeLater,
  type LaterItem,
  listDone,
  listLater,
  readLaterMessages,
  removeLater,
} from '#contract/later'
import { limits } from '#contract/limits'
import { readableAmong, readableMessage } from '../../access/access.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, invalidField, notFound, unauthenticated } from '../../errors.ts'
import { laterColumns, selectLater } from '../../later/later-items.ts'
import { presentMessages, selectMessages } from '../../messages/message-rows.ts'
import { isWithinYear } from '../../people/availability.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

/** What a person saved for later, and their reminders: only their own. */
export default async function later(app: FastifyInstance) {
  const { db, doors, people, publish, turns } = app

  route(app, listLater, ({ me }) =>
    turns(me, () =>
      selectLater(db, me).where('doneAt', 'is', null).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute(),
    ),
  )

  route(app, listDone, async ({ query: { cursor }, me }) => {
    let done = selectLater(db, me).where('doneAt', 'is not', null)
    if (cursor !== undefined) {
      const [at = '', id = ''] = cursor.split('_')
      done = done.where(sql<boolean>`("doneAt", id) < (${at}::timestamptz, ${id}::uuid)`)
    }
    const found = await done
      .orderBy('doneAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limits.later.page + 1)
      .execute()
    const items = found.slice(0, limits.later.page)
    const last = found.length > items.length ? items.at(-1) : undefined
    return { items, nextCursor: last ? `${last.doneAt}_${last.id}` : null }
  })

  route(app, { ...readLaterMessages, rate: 'reads' }, ({ body: { messageIds }, me }) =>
    turns(me, async () => {
      if (messageIds.length === 0) return []
      const rows = await selectMessages(db)
        .innerJoin('later_items', 'later_items.messageId', 'messages.id')
        .where('later_items.userId', '=', me)
        .where('messages.id', 'in', messageIds)
        .execute()
      return readableAmong(doors, me, await presentMessages(people, rows))
    }),
  )

  route(app, addLater, async ({ body: { messageId, text, dueAt }, me, reply }) => {
    if ((messageId === undefined) === (text === undefined)) throw invalidField('messageId', 'errors.laterOne')
    requireDue(dueAt)
    if (messageId !== undefined) await readableMessage(app, me, messageId)
    const { item, isNew, isChanged } = await db.transaction().execute(async (tx) => {
      await lockItems(tx, me)
      if (messageId !== undefined) await requireMessage(tx, messageId)
      const held = messageId === undefined ? undefined : await heldItem(tx, me, messageId)
      if (held && held.doneAt === null && dueAt === undefined) return { item: held, isNew: false, isChanged: false }
      if (held?.doneAt !== null) await requireRoom(tx, me)
      const due = { dueAt: dueAt ?? null, remindedAt: null }
      const item = held
        ? await update(tx, held.id, { ...due, doneAt: null, ...(held.doneAt !== null && { createdAt: NOW }) })
        : await insert(tx, { id: newId(), userId: me, messageId: messageId ?? null, text: text ?? null, ...due })
      return { item, isNew: !held, isChanged: true }
    })
    if (isChanged) publish(userRoom(me), 'later:changed', item)
    if (!isNew) reply.status(200)
    return item
  })

  route(app, changeLater, async ({ params: { itemId }, body: { text, dueAt, isDone }, me }) => {
    requireDue(dueAt)
    const { item, isChanged } = await db.transaction().execute(async (tx) => {
      await lockItems(tx, me)
      const held = await selectLater(tx, me).where('id', '=', itemId).forUpdate().executeTakeFirst()
      if (!held) throw notFound('errors.laterNotFound')
      if (text !== undefined && held.text === null) throw invalidField('text', 'errors.laterOne')
      const opens = isDone === false || (isDone === undefined && dueAt != null)
      if (opens && held.doneAt !== null) await requireRoom(tx, me)
      const columns = {
        ...(text !== undefined && text !== held.text && { text }),
        ...(dueAt !== undefined && !isSameDue(held, dueAt) && { dueAt, remindedAt: null }),
        ...(opens && held.doneAt !== null && { doneAt: null }),
        ...(isDone && held.doneAt === null && { doneAt: NOW }),
      }
      const isChanged = Object.keys(columns).length > 0
      return { item: isChanged ? await update(tx, itemId, columns) : held, isChanged }
    })
    if (isChanged) publish(userRoom(me), 'later:changed', item)
    return item
  })

  route(app, removeLater, async ({ params: { itemId }, me }) => {
    const { numDeletedRows } = await db
      .deleteFrom('later_items')
      .where('id', '=', itemId)
      .where('userId', '=', me)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound('errors.laterNotFound')
    publish(userRoom(me), 'later:removed', { id: itemId })
    return undefined
  })
}

const NOW = sql<string>`clock_timestamp()`

function requireDue(dueAt: string | null | undefined) {
  if (dueAt != null && !isWithinYear(dueAt)) throw invalidField('dueAt', 'errors.notAnEnd')
}

const isSameDue = (held: LaterItem, dueAt: string | null) =>
  held.remindedAt === null && (held.dueAt && Date.parse(held.dueAt)) === (dueAt && Date.parse(dueAt))

/**
 * One change of a person's items at a time, so that their number stays within the limit, and none after their account was
 * deleted.
 */
async function lockItems(tx: Transaction<DB>, me: string) {
  const locked = tx.selectFrom('users').select('deactivatedAt').where('id', '=', me).forNoKeyUpdate()
  if ((await locked.executeTakeFirst())?.deactivatedAt !== null) throw unauthenticated()
}

/** It may have been deleted or removed since the door. */
async function requireMessage(tx: Transaction<DB>, messageId: string) {
  const locked = tx.selectFrom('messages').select('deletedAt').where('id', '=', messageId).forKeyShare()
  const message = await locked.executeTakeFirst()
  if (!message) throw notFound('errors.messageNotFound')
  if (message.deletedAt) throw conflict('deleted', 'errors.messageDeleted')
}

async function requireRoom(tx: Transaction<DB>, me: string) {
  const { open } = await selectLater(tx, me)
    .clearSelect()
    .select((row) => row.fn.countAll<number>().as('open'))
    .where('doneAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (open >= limits.later.open)
    throw conflict('too_many_later', problem('errors.tooManyLater', { max: limits.later.open }))
}

const heldItem = (tx: Transaction<DB>, me: string, messageId: string): Promise<LaterItem | undefined> =>
  selectLater(tx, me).where('messageId', '=', messageId).forUpdate().executeTakeFirst()

const insert = (
  tx: Transaction<DB>,
  values: Pick<LaterItem, 'id' | 'messageId' | 'text' | 'dueAt'> & { userId: string },
) => tx.insertInto('later_items').values(values).returning(laterColumns).executeTakeFirstOrThrow()

const update = (tx: Transaction<DB>, id: string, columns: Record<string, unknown>) =>
  tx
    .updateTable('later_items')
    .set({ ...columns, rev: sql`rev + 1` })
    .where('id', '=', id)
    .returning(laterColumns)
    .executeTakeFirstOrThrow()
