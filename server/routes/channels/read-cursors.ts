import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  countNotifications,
  type MovedCursor,
  readAllChannels,
  readChannel,
  readThread,
  unreadChannels,
} from '#contract/read-cursors'
import type { MovedThread } from '#contract/threads'
import { memberChannel, memberMessage, requireThreadParent } from '../../access/access.ts'
import { presentChannel, presentChannels, selectChannels } from '../../channels/channel-rows.ts'
import {
  idList,
  markChannelsRead,
  markThreadsRead,
  restoreChannelCursors,
  restoreThreadCursors,
} from '../../channels/read-all.ts'
import { notFound } from '../../errors.ts'
import { readNotificationCount } from '../../messages/notification-count.ts'
import { readThreadCursor, selectThreadCursors } from '../../messages/thread-cursors.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

/** Read cursors are private: they have no revision, and only the user's own sockets receive them. */
export default async function reading(app: FastifyInstance) {
  const { db, doors, publish } = app

  route(app, readChannel, async ({ params, body, me }) => {
    const { id } = await memberChannel(doors, me, params.channelId)
    await db
      .updateTable('memberships')
      .from('channels')
      .whereRef('channels.id', '=', 'memberships.channelId')
      .where('memberships.channelId', '=', id)
      .where('memberships.userId', '=', me)
      .where(isCurrent('memberships', body))
      .set(cursorAt('memberships', body, sql.ref('channels.seq')))
      .execute()
    const { lastReadSeq, readVersion, unread, mentions, rev } = await presentChannel(app, me, id)
    // The user has been removed since.
    if (lastReadSeq === undefined || readVersion === undefined || unread === undefined || mentions === undefined)
      throw notFound('errors.channelNotFound')
    const cursor = { lastReadSeq, readVersion, unread, mentions, rev }
    publish(userRoom(me), 'channel:read', { ...cursor, channelId: id })
    return cursor
  })

  route(app, countNotifications, async ({ me }) => ({ notifications: await readNotificationCount(db, me) }))

  route(app, readAllChannels, async ({ me }) => {
    const moved = await db.transaction().execute(async (tx) => ({
      channels: await markChannelsRead(tx, me),
      threads: await markThreadsRead(tx, me),
    }))
    return publishCursors(me, moved)
  })

  route(app, unreadChannels, async ({ body, me }) => {
    const ids = await db.transaction().execute(async (tx) => ({
      channels: await restoreChannelCursors(tx, me, body.channels),
      threads: await restoreThreadCursors(tx, me, body.threads),
    }))
    const readBefore = new Map(
      [...body.channels, ...body.threads].map((cursor) => [
        'channelId' in cursor ? cursor.channelId : cursor.threadId,
        cursor.lastReadSeq,
      ]),
    )
    const rows = await selectChannels(db, me).where('channels.id', 'in', idList(ids.channels)).execute()
    const channels = (await presentChannels(app, rows)).flatMap(
      ({ id, lastReadSeq, readVersion, unread, mentions, rev }) =>
        // Skip channels that have been deleted or left since.
        lastReadSeq === undefined || readVersion === undefined || unread === undefined || mentions === undefined
          ? []
          : [{ channelId: id, lastReadSeq, readVersion, unread, mentions, rev, before: readBefore.get(id) ?? 0 }],
    )
    const threads = await selectThreadCursors(db, me)
      .select('messages.channelId')
      .where('messages.id', 'in', idList(ids.threads))
      .execute()
    return publishCursors(me, {
      channels,
      threads: threads.map((cursor) => ({ ...cursor, before: readBefore.get(cursor.threadId) ?? 0 })),
    })
  })

  function publishCursors(me: string, moved: { channels: MovedCursor[]; threads: MovedThread[] }) {
    for (const { before: _, ...cursor } of moved.channels) publish(userRoom(me), 'channel:read', cursor)
    for (const { before: _, ...cursor } of moved.threads) publish(userRoom(me), 'thread:read', cursor)
    return moved
  }

  route(app, readThread, async ({ params, body, me }) => {
    const { id, channel } = requireThreadParent(await memberMessage(app, me, params.threadId))
    await db
      .updateTable('thread_follows')
      .from('messages')
      .whereRef('messages.id', '=', 'thread_follows.threadId')
      .where('thread_follows.threadId', '=', id)
      .where('thread_follows.userId', '=', me)
      .where(isCurrent('thread_follows', body))
      .set(cursorAt('thread_follows', body, sql.ref('messages.threadSeq')))
      .execute()
    const cursor = await readThreadCursor(db, me, id)
    publish(userRoom(me), 'thread:read', { ...cursor, channelId: channel.id })
    return cursor
  })
}

interface ReadInput {
  seq: number
  unread?: boolean | undefined
  readVersion?: number | undefined
}

/** False for an outdated read, sent before something was marked unread. */
const isCurrent = (table: string, { unread, readVersion }: ReadInput) =>
  unread || readVersion === undefined
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(`${table}.readVersion`)} <= ${readVersion}::bigint`

/** Reading moves the cursor forward only, up to the newest message; marking unread sets it before `seq`. */
function cursorAt(table: string, { seq, unread }: ReadInput, newest: ReturnType<typeof sql.ref>) {
  const [lastReadSeq, readVersion] = [sql.ref(`${table}.lastReadSeq`), sql.ref(`${table}.readVersion`)]
  return unread
    ? {
        lastReadSeq: sql<number>`least(greatest(${seq}::bigint - 1, 0), ${newest})`,
        readVersion: sql<number>`${readVersion} + 1`,
      }
    : { lastReadSeq: sql<number>`greatest(${lastReadSeq}, least(${seq}::bigint, ${newest}))` }
}
