import type { FastifyInstance } from 'fastify'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import {
  followThread,
  getThreadCursor,
  listThread,
  listThreads,
  readAllThreads,
  sendReply,
  unfollowThread,
} from '#contract/threads'
import { memberMessage, readableChannel, readableMessage, requireThreadParent } from '../../access/access.ts'
import { markThreadsRead } from '../../channels/read-all.ts'
import { readFollowedThreads } from '../../messages/followed-threads.ts'
import { type MessageRow, messagesFromJson, presentMessages, selectMessages } from '../../messages/message-rows.ts'
import { sendToThread } from '../../messages/replies.ts'
import { readThreadCursor } from '../../messages/thread-cursors.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'
import { finishSend } from './finish-send.ts'

export default async function threads(app: FastifyInstance) {
  const { bounds, db, doors, people, publish, turns } = app

  route(app, listThread, async ({ params, query: { limit, before }, me }) => {
    const { id, channel } = requireThreadParent(await readableMessage(app, me, params.threadId))
    let newest = selectMessages(db).where('messages.threadId', '=', id).orderBy('messages.seq', 'desc').limit(limit)
    if (before !== undefined) newest = newest.where('messages.seq', '<', before)
    return turns(me, async () => {
      // One statement, so that messages and revision are consistent.
      const page = await db
        .selectFrom('channels')
        .innerJoin('workspace', (join) => join.onTrue())
        .where('channels.id', '=', channel.id)
        .select(['channels.rev', 'workspace.peopleVersion'])
        .select([
          jsonArrayFrom(selectMessages(db).where('messages.id', '=', id)).as('parent'),
          jsonArrayFrom(newest).as('replies'),
        ])
        .executeTakeFirstOrThrow()
      // Check again after waiting: the user may have been removed since.
      await readableChannel(doors, me, channel.id)
      const rows = messagesFromJson([...page.parent, ...page.replies.reverse()])
      return { body: await presentMessages(people, rows, page.peopleVersion), headers: { 'parley-rev': page.rev } }
    })
  })

  route(app, { ...sendReply, rate: 'sends' }, async ({ body, me, reply }) => {
    const { parentMessageId, content, clientId = null, fileIds = [], alsoToChannel } = body
    const { channel } = await memberMessage(app, me, parentMessageId)
    const newReply = { channelId: channel.id, parentId: parentMessageId, content, clientId, fileIds, alsoToChannel }
    return finishSend(app, reply, await sendToThread(app, me, newReply))
  })

  route(app, listThreads, ({ query, me }) =>
    turns(me, async () => {
      const page = await readFollowedThreads(db, me, query, bounds.threadPageBytes)
      const { threads, peopleVersion, pagination } = page
      const rows = threads.flatMap(({ parents, replies }) => [...parents, ...replies])
      const messages = new Map((await presentMessages(people, rows, peopleVersion)).map((it) => [it.id, it]))
      const presented = (rows: MessageRow[]) => rows.flatMap(({ id }) => messages.get(id) ?? [])
      return {
        threads: threads.flatMap(({ parents, replies, rev, ...cursor }) =>
          presented(parents).map((parent) => ({
            ...cursor,
            parent,
            latestReplies: presented(replies),
            ...(query.latestReplies > 0 && { rev }),
          })),
        ),
        pagination,
      }
    }),
  )

  route(app, readAllThreads, async ({ me }) => {
    const threads = await db.transaction().execute((tx) => markThreadsRead(tx, me))
    for (const { before: _, ...cursor } of threads) publish(userRoom(me), 'thread:read', cursor)
    return { threads }
  })

  route(app, followThread, ({ params, me }) => setFollowing(me, params.threadId, true))
  route(app, unfollowThread, ({ params, me }) => setFollowing(me, params.threadId, false))

  route(app, getThreadCursor, async ({ params, me }) => {
    const { id } = requireThreadParent(await memberMessage(app, me, params.threadId))
    return readThreadCursor(db, me, id)
  })

  async function setFollowing(me: string, threadId: string, isFollowing: boolean) {
    const { id, channel } = requireThreadParent(await memberMessage(app, me, threadId))
    await db
      .insertInto('thread_follows')
      .columns(['threadId', 'userId', 'isFollowing', 'lastReadSeq'])
      .expression((query) =>
        query
          .selectFrom('messages')
          .where('id', '=', id)
          .select((row) => ['id', row.val(me).as('userId'), row.val(isFollowing).as('isFollowing'), 'threadSeq']),
      )
      .onConflict((oc) =>
        oc.columns(['threadId', 'userId']).doUpdateSet((row) => ({
          isFollowing,
          // Existing followers keep their cursor.
          lastReadSeq: row
            .case()
            .when('thread_follows.isFollowing', '=', true)
            .then(row.ref('thread_follows.lastReadSeq'))
            .else(row.ref('excluded.lastReadSeq'))
            .end(),
        })),
      )
      .execute()
    const cursor = await readThreadCursor(db, me, id)
    publish(userRoom(me), 'thread:read', { ...cursor, channelId: channel.id })
    return cursor
  }
}
