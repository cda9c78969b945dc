import { sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import type { DB } from '../db/schema.ts'
import { fileColumn } from '../messages/attachments.ts'
import type { ReactionRow } from '../messages/message-rows.ts'
import { searchTextOf } from '../search/search-text.ts'
import { holdImport, noteFetched } from './import-rows.ts'
import { type Batch, type Parent, type ReadyMessage, type Row, rowsOf } from './imported-rows.ts'
import { timeOf } from './times.ts'

/** Rows per statement: PostgreSQL takes at most 65,535 values. */
const ROWS = 5000

/** Appends messages to a channel that nobody sees yet, in one transaction: numbers, threads, reactions, files. */
export async function storeBatch(batch: Batch, messages: ReadyMessage[]) {
  const { db, job, channel, fetched } = batch
  await db.transaction().execute(async (tx) => {
    await holdImport(tx, job, messages.length)
    if (fetched) await noteFetched(tx, job, fetched)
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
    await dropPins(tx, channel.id, rows)
    await insertRows(tx, batch, rows, parents)
    await insertVersions(tx, rows)
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

const reactionColumn = (reactions: Row['reactions']): ReactionRow[] =>
  reactions.map(({ emoji, userIds }) => ({ emoji, count: userIds.length, userIds: userIds.slice(0, limits.reactors) }))

/** A channel has a limited number of pins: the first ones stay. */
async function dropPins(tx: Transaction<DB>, channelId: string, rows: Row[]) {
  const pinned = rows.filter(({ pinnedAt }) => pinnedAt !== null)
  if (pinned.length === 0) return
  const { n } = await tx
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('channelId', '=', channelId)
    .where('pinnedAt', 'is not', null)
    .executeTakeFirstOrThrow()
  for (const row of pinned.slice(Math.max(limits.pins - n, 0))) Object.assign(row, { pinnedAt: null, pinnedBy: null })
}

/** The texts before edits, if the workspace keeps any. */
async function insertVersions(tx: Transaction<DB>, rows: Row[]) {
  const versions = rows.flatMap(({ id, earlier, createdAt }) =>
    earlier.map(({ content, writtenAt }, index) => {
      const at = timeOf(writtenAt)
      return {
        messageId: id,
        number: index + 1,
        content,
        writtenAt: at === null ? createdAt : new Date(at).toISOString(),
      }
    }),
  )
  if (versions.length === 0) return
  const { keepsVersions } = await tx.selectFrom('workspace').select('keepsVersions').executeTakeFirstOrThrow()
  if (!keepsVersions) return
  for (let first = 0; first < versions.length; first += ROWS)
    await tx
      .insertInto('message_versions')
      .values(versions.slice(first, first + ROWS))
      .execute()
}

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
      rows.map(
        ({
          key: _,
          pending: _pending,
          isPending: _isPending,
          earlier: _earlier,
          files,
          mentions,
          reactions,
          ...row
        }) => ({
          ...row,
          ...fileColumn(files),
          mentions: JSON.stringify(mentions),
          reactions: JSON.stringify(reactionColumn(reactions)),
        }),
      ),
    )
    .execute()
  await tx
    .insertInto('import_items')
    .values(
      rows.map(({ id, key, pending }) => ({
        ...{ source, kind: 'message', key, id, importId: job.id },
        pending: pending && JSON.stringify(pending),
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
