import { readableChannels } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import { fileColumns } from '../files/file-rows.ts'
import { type MessageRow, selectMessages } from '../messages/message-rows.ts'
import type { EarlierText } from './export-json.ts'

/** Rows per statement. */
const PAGE = 200

/** The messages of a channel without replies, in pages, oldest first. @param upTo the last `seq` */
export async function* pagesOf(db: Db, channelId: string, upTo: number): AsyncGenerator<MessageRow[]> {
  for (let after = 0; after < upTo; ) {
    const rows = await selectMessages(db)
      .where('channelId', '=', channelId)
      .where('threadId', 'is', null)
      .where('seq', '>', after)
      .where('seq', '<=', upTo)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.seq
  }
}

/** The number of messages of a channel up to one, without replies. Old ones may have been removed. */
export async function countMessages(db: Db, channelId: string, upTo: number): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('channelId', '=', channelId)
    .where('threadId', 'is', null)
    .where('seq', '<=', upTo)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns which of some channels a user may still read. */
export async function stillReadable(db: Db, userId: string, channelIds: string[]): Promise<Set<string>> {
  const { rows } = await readableChannels(userId, [...new Set(channelIds)]).execute(db)
  return new Set(rows.map(({ id }) => id))
}

type Check = () => Promise<boolean>

/** The replies to a message, oldest first. @param mayRead checked again before each further page */
export async function* repliesTo(
  db: Db,
  parent: Pick<MessageRow, 'id' | 'replyCount' | 'lastReplyAt'>,
  mayRead: Check,
) {
  if (parent.replyCount === 0 && parent.lastReplyAt === null) return
  for (let after = 0; ; ) {
    const rows = await selectMessages(db)
      .where('threadId', '=', parent.id)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE || !(await mayRead())) return
    after = last.seq
  }
}

/** Messages scanned per statement when looking for one person's. */
const SCANNED = 20_000

/** Everything a person wrote, oldest first, including in conversations that they have left. */
export async function* messagesBy(db: Db, userId: string): AsyncGenerator<MessageRow[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const ids = db.selectFrom('messages').select('id').where('id', '>', after).orderBy('id')
    const end = await ids
      .offset(SCANNED - 1)
      .limit(1)
      .executeTakeFirst()
    let own = selectMessages(db).where('messages.userId', '=', userId)
    if (end) own = own.where('messages.id', '<=', end.id)
    for (;;) {
      const rows = await own.where('messages.id', '>', after).orderBy('messages.id').limit(PAGE).execute()
      yield rows
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      after = last.id
    }
    if (!end) return
    after = end.id
  }
}

/** What a person saved for later and their reminders, oldest first. */
export async function* laterOf(db: Db, userId: string) {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db
      .selectFrom('later_items')
      .select(['id', 'messageId', 'text', 'createdAt', 'dueAt', 'doneAt'])
      .where('userId', '=', userId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}

/** What a person has scheduled, the next first. */
export const scheduledOf = (db: Db, userId: string) =>
  db
    .selectFrom('scheduled_messages')
    .select(['id', 'channelId', 'channelName', 'threadId', 'content', 'createdAt', 'sendAt', 'failure'])
    .where('userId', '=', userId)
    .orderBy('sendAt')
    .execute()

/** The visible files of a channel or a user. @param mayRead checked again before each page */
export async function* filesOf(db: Db, by: { channelId: string } | { userId: string }, mayRead: Check) {
  const [column, id] = 'channelId' in by ? (['channelId', by.channelId] as const) : (['userId', by.userId] as const)
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    if (!(await mayRead())) return
    const rows = await db
      .selectFrom('files')
      .select(fileColumns)
      .where('state', '=', 'ready')
      .where('isShown', '=', true)
      .where(column, '=', id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}

/** The message with all reactors; its row lists only the first of many. */
export async function withReactors(db: Db, row: MessageRow): Promise<MessageRow> {
  if (row.reactions.every(({ count, userIds }) => count === userIds.length)) return row
  const reacted = await db
    .selectFrom('reactions')
    .select(['emoji', 'userId'])
    .where('messageId', '=', row.id)
    .orderBy('createdAt')
    .orderBy('userId')
    .execute()
  const reactions = row.reactions.map(({ emoji }) => {
    const userIds = reacted.filter((it) => it.emoji === emoji).map(({ userId }) => userId)
    return { emoji, count: userIds.length, userIds }
  })
  return { ...row, reactions }
}

/** The texts that a message had before it was edited, oldest first, if the workspace shows them. */
export async function earlierTexts(db: Db, { id, editedAt, deletedAt }: MessageRow): Promise<EarlierText[]> {
  if (!editedAt || deletedAt) return []
  return db
    .selectFrom('message_versions')
    .innerJoin('workspace', (join) => join.on('keepsVersions', '=', true))
    .select(['content', 'writtenAt'])
    .where('messageId', '=', id)
    .orderBy('number')
    .execute()
}

export interface ExportedChannel {
  id: string
  kind: string
  name: string
  topic: string
  ownerId: string | null
  createdAt: string
  archivedAt: string | null
  seq: number
}

/** Channels to export, by name. @param readerId only channels that the user may read; null for all */
export async function channelsFor(
  db: Db,
  readerId: string | null,
  scope: { members: boolean; channelId?: string | null },
): Promise<ExportedChannel[]> {
  let channels = db
    .selectFrom('channels')
    .select(['id', 'kind', 'name', 'topic', 'ownerId', 'createdAt', 'archivedAt', 'seq'])
    .where('deletedAt', 'is', null)
  if (scope.channelId) channels = channels.where('id', '=', scope.channelId)
  if (readerId !== null)
    channels = channels.where((row) => {
      const own = row.exists(
        row
          .selectFrom('memberships')
          .select('memberships.userId')
          .whereRef('memberships.channelId', '=', 'channels.id')
          .where('memberships.userId', '=', readerId),
      )
      return scope.members ? own : row.or([row('kind', '=', 'public'), own])
    })
  return channels.orderBy('name').execute()
}

export async function membersOf(db: Db, channelId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('userId')
    .where('channelId', '=', channelId)
    .orderBy('joinedAt')
    .execute()
  return rows.map(({ userId }) => userId)
}
