import { sql, type Transaction } from 'kysely'
import { Emoji } from '#contract/emoji'
import { limits } from '#contract/limits'
import type { Db } from '../db/database.ts'
import { idAt } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import type { AttachedRow } from '../files/file-rows.ts'
import { fileColumn } from '../messages/attachments.ts'
import type { ReactionRow } from '../messages/message-rows.ts'
import { searchTextOf } from '../search/search-text.ts'
import type { KnownChannel } from './import-channels.ts'
import type { KnownPerson } from './import-people.ts'
import { holdImport, type ImportJob } from './import-rows.ts'
import type { MessageRecord, OmissionReport } from './records.ts'
import { type Names, renderContent, splitContent } from './render-content.ts'
import { timeOf } from './times.ts'

/** Rows per statement: PostgreSQL takes at most 65,535 values. */
const ROWS = 5000

/** A message of the archive with its files, which are already stored. */
export interface ReadyMessage {
  record: MessageRecord
  author: KnownPerson
  files: AttachedRow[]
}

interface Batch {
  db: Db
  job: ImportJob
  source: string
  channel: KnownChannel
  people: ReadonlyMap<string, KnownPerson>
  names: Names
  report: OmissionReport
}

interface Parent {
  id: string
  threadId: string | null
  threadSeq: number
  replyCount: number
  lastRepliers: string[]
  lastReplyAt: string
  rev: number
  isChanged: boolean
}

/** Appends messages to a channel that nobody sees yet, in one transaction: numbers, threads, reactions, files. */
export async function storeBatch(batch: Batch, messages: ReadyMessage[]) {
  const { db, job, channel } = batch
  await db.transaction().execute(async (tx) => {
    await holdImport(tx, job, messages.length)
    const { seq, rev } = await tx
      .selectFrom('channels')
      .select(['seq', 'rev'])
      .where('id', '=', channel.id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const last = await tx
      .selectFrom('messages')
      .select('createdAt')
      .where('channelId', '=', channel.id)
      .where('threadId', 'is', null)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    const parents = await readParents(tx, batch, messages)
    const rows = rowsOf(batch, messages, parents, { seq, rev, at: last ? Date.parse(last.createdAt) : 0 })
    await insertRows(tx, batch, rows, parents)
  })
}

/** The already stored messages that these reply to, by key. */
async function readParents(tx: Transaction<DB>, { source, channel }: Batch, messages: ReadyMessage[]) {
  const keys = [...new Set(messages.flatMap(({ record }) => record.parentKey ?? []))]
  const found = await tx
    .selectFrom('import_items')
    .innerJoin('messages', (join) => join.on(sql<boolean>`messages.id = import_items.id::uuid`))
    .select([
      'import_items.key',
      'messages.id',
      'threadId',
      'threadSeq',
      'replyCount',
      'lastRepliers',
      'lastReplyAt',
      'rev',
    ])
    .where('source', '=', source)
    .where('import_items.kind', '=', 'message')
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .where('messages.channelId', '=', channel.id)
    .execute()
  return new Map<string, Parent>(
    found.map(({ key, lastReplyAt, ...row }) => [key, { ...row, lastReplyAt: lastReplyAt ?? '', isChanged: false }]),
  )
}

function rowsOf(
  { names, people, report, channel }: Batch,
  messages: ReadyMessage[],
  parents: Map<string, Parent>,
  last: { seq: number; rev: number; at: number },
) {
  const isMore = (part: number) => part > 0
  return messages.flatMap(({ record, author, files }) => {
    const { content, ...rendered } = renderContent(record.content, names)
    const pieces = splitContent(content)
    if (pieces.length > 1) report.add('tooLongMessage', record.key)
    return pieces.map((piece, part) => {
      const given = record.parentKey === null ? undefined : parents.get(record.parentKey)
      const parent = given?.threadId ? [...parents.values()].find(({ id }) => id === given.threadId) : given
      // Keeps the times in the order of the numbers.
      const at = Math.max(timeOf(record.createdAt) ?? last.at, parent ? 0 : last.at)
      const createdAt = new Date(at).toISOString()
      if (!parent) last.at = at
      last.rev++
      const seq = parent ? ++parent.threadSeq : ++last.seq
      const id = idAt(at, parent ? seq + last.seq : seq)
      if (parent) noteReply(parent, author.id, createdAt, last.rev)
      const row = {
        id,
        channelId: channel.id,
        threadId: parent?.id ?? null,
        userId: author.id,
        content: piece,
        seq,
        rev: last.rev,
        createdAt,
        updatedAt: editTimeOf(record, at) ?? createdAt,
        editedAt: editTimeOf(record, at),
        deletedAt: laterOf(record.deletedAt, at),
        ...rendered,
        files: isMore(part) ? [] : files,
        reactions: isMore(part) ? [] : reactionsOf(record, people, report),
        key: isMore(part) ? `${record.key}#${part + 1}` : record.key,
        parts: !isMore(part) && rendered.isPending && pieces.length === 1 ? record.content : null,
      }
      if (!parent && !isMore(part))
        parents.set(record.key, {
          ...{ id, threadId: null, threadSeq: 0, replyCount: 0, lastRepliers: [], lastReplyAt: '', rev: row.rev },
          isChanged: false,
        })
      return row
    })
  })
}

type Row = ReturnType<typeof rowsOf>[number]

function noteReply(parent: Parent, userId: string, at: string, rev: number) {
  parent.replyCount++
  parent.lastRepliers = [userId, ...parent.lastRepliers.filter((id) => id !== userId)].slice(0, limits.repliers)
  parent.lastReplyAt = at > parent.lastReplyAt ? at : parent.lastReplyAt
  parent.rev = rev
  parent.isChanged = true
}

const editTimeOf = ({ editedAt }: MessageRecord, createdAt: number) => laterOf(editedAt, createdAt)

function laterOf(time: string | null, createdAt: number) {
  const at = timeOf(time)
  return at === null ? null : new Date(Math.max(at, createdAt)).toISOString()
}

function reactionsOf({ reactions, key }: MessageRecord, people: Batch['people'], report: OmissionReport) {
  const byEmoji = new Map<string, Set<string>>()
  for (const { emoji, personKeys } of reactions) {
    const ids = personKeys.flatMap((personKey) => people.get(personKey)?.id ?? [])
    if (!isEmoji(emoji)) report.add('customEmoji', `${key}: ${emoji}`)
    else if (ids.length > 0 && (byEmoji.has(emoji) || byEmoji.size < limits.reactions)) {
      const known = byEmoji.get(emoji) ?? new Set()
      for (const id of ids) known.add(id)
      byEmoji.set(emoji, known)
    }
  }
  return [...byEmoji].map(([emoji, ids]) => ({ emoji, userIds: [...ids] }))
}

const isEmoji = (text: string) => Emoji.safeParse(text).success

const reactionColumn = (reactions: Row['reactions']): ReactionRow[] =>
  reactions.map(({ emoji, userIds }) => ({ emoji, count: userIds.length, userIds: userIds.slice(0, limits.reactors) }))

async function insertRows(
  tx: Transaction<DB>,
  { job, source, channel }: Batch,
  rows: Row[],
  parents: Map<string, Parent>,
) {
  if (rows.length === 0) return
  await tx
    .insertInto('messages')
    .values(
      rows.map(({ key: _, parts: _parts, isPending: _pending, files, mentions, reactions, ...row }) => ({
        ...row,
        ...fileColumn(files),
        mentions: JSON.stringify(mentions),
        reactions: JSON.stringify(reactionColumn(reactions)),
      })),
    )
    .execute()
  await tx
    .insertInto('import_items')
    .values(
      rows.map(({ id, key, parts }) => ({
        ...{ source, kind: 'message', key, id, importId: job.id },
        pending: parts && JSON.stringify(parts),
      })),
    )
    .onConflict((it) =>
      it.columns(['source', 'kind', 'key']).doUpdateSet((row) => ({
        id: row.ref('excluded.id'),
        importId: row.ref('excluded.importId'),
        pending: row.ref('excluded.pending'),
      })),
    )
    .execute()
  const texts = rows
    .filter(({ deletedAt }) => deletedAt === null)
    .map(({ id, content }) => ({ messageId: id, channelId: channel.id, text: searchTextOf(content) }))
  if (texts.length > 0) await tx.insertInto('message_search').values(texts).execute()
  const mentions = rows.flatMap(mentionRows)
  for (let first = 0; first < mentions.length; first += ROWS)
    await tx
      .insertInto('mentions')
      .values(mentions.slice(first, first + ROWS))
      .execute()
  const reactions = rows.flatMap(({ id, createdAt, reactions }) =>
    reactions.flatMap(({ emoji, userIds }) => userIds.map((userId) => ({ messageId: id, emoji, userId, createdAt }))),
  )
  for (let first = 0; first < reactions.length; first += ROWS)
    await tx
      .insertInto('reactions')
      .values(reactions.slice(first, first + ROWS))
      .execute()
  await showFiles(tx, rows)
  const changed = [...parents.values()].filter(({ isChanged }) => isChanged)
  await sql`update messages set "threadSeq" = it."threadSeq", "replyCount" = it."replyCount",
      "lastRepliers" = it."lastRepliers", "lastReplyAt" = it."lastReplyAt", rev = it.rev
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) it (id uuid, "threadSeq" int, "replyCount" int,
      "lastRepliers" text[], "lastReplyAt" timestamptz, rev bigint)
    where messages.id = it.id`.execute(tx)
  const top = rows.findLast(({ threadId }) => threadId === null)
  await tx
    .updateTable('channels')
    .set({
      rev: rows.at(-1)?.rev as number,
      ...(top && { seq: top.seq, lastMessageAt: top.createdAt }),
    })
    .where('id', '=', channel.id)
    .execute()
}

function mentionRows({ id, channelId, threadId, seq, userId, mentions, broadcast }: Row) {
  const row = { messageId: id, channelId, threadId, seq, authorId: userId }
  const named = mentions.filter((mention) => mention.userId !== userId)
  return [
    ...named.map((mention) => ({ ...row, userId: mention.userId, audience: null })),
    // Nobody knows who was online at the time.
    ...(broadcast ? [{ ...row, userId: null, audience: broadcast === 'here' ? [] : null }] : []),
  ]
}

/** Makes stored files part of their messages. @throws if one was swept in the meantime, so that the batch is repeated */
async function showFiles(tx: Transaction<DB>, rows: Row[]) {
  for (const { id, channelId, files } of rows) {
    if (files.length === 0) continue
    const shown = await tx
      .updateTable('files')
      .set({ channelId, messageId: id, isShown: true, state: 'ready', touchedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', sql<string>`any(${files.map((file) => file.id)}::uuid[])`)
      .where('state', '=', 'pending')
      .returning('id')
      .execute()
    if (shown.length < files.length) throw new Error('a file of an import was swept before its message was stored')
  }
}
