import type { User } from '#contract/users'
import { isKnownTo } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import { readWorkspaceName } from '../db/workspace-name.ts'
import { type Storage, storageKeyOf } from '../files/storage.ts'
import type { MessageRow } from '../messages/message-rows.ts'
import {
  channelHead,
  fileHtml,
  filesHead,
  filesPath,
  indexHead,
  indexLine,
  MESSAGES_PER_PAGE,
  messageHtml,
  PAGE_END,
  pageHead,
  pageNav,
  pagePath,
  STYLE,
  THREAD_END,
  threadHead,
  titleOf,
} from './archive-pages.ts'
import { type Conversation, writeSearch } from './archive-search.ts'
import { type EmojiPaths, writeEmoji } from './export-emoji.ts'
import { FORMAT, fileLine, filePath, jsonLine, messageLine } from './export-json.ts'
import {
  channelsFor,
  countMessages,
  type ExportedChannel,
  earlierTexts,
  filesOf,
  laterOf,
  membersOf,
  messagesBy,
  pagesOf,
  repliesTo,
  scheduledOf,
  stillReadable,
  withReactors,
} from './export-rows.ts'
import type { Zip } from './zip.ts'

interface ArchiveRequest {
  scope: 'mine' | 'channel' | 'workspace' | 'all'
  /** The reader; null for the person who runs the server. */
  readerId: string | null
  channelId?: string | null
}

interface Options extends ArchiveRequest {
  db: Db
  storage: Storage
  zip: Zip
  /** Whether the reader may still read a channel; checked again before each page. */
  mayRead: (channel: ExportedChannel) => Promise<boolean>
  namesOf: (ids: string[]) => Promise<(id: string) => User>
  onProgress: (messages: number, total: number) => Promise<void>
}

/**
 * Writes everything that a reader may read into an archive: JSON lines, pages, files. Reads a few hundred rows at a time by
 * cursor, without holding a transaction open. Each channel ends at its last message when the export began.
 */
export async function writeArchive(options: Options) {
  const { db, zip, scope, readerId, channelId = null, onProgress } = options
  const exportedAt = new Date().toISOString()
  const channels = await channelsFor(db, readerId, { members: scope === 'mine', channelId })
  const total = channels.reduce((sum, { seq }) => sum + seq, 0)
  const written = { messages: 0 }
  const count = async (more: number) => {
    written.messages += more
    await onProgress(written.messages, total)
  }
  await count(0)
  const workspace = await readWorkspaceName(db)
  await zip.addText('manifest.json', [jsonLine({ ...FORMAT, workspace, scope, exportedAt, by: readerId })])
  await zip.addText('data/people.jsonl', people(db, readerId, scope))
  const emoji = await writeEmoji(options)
  const conversations: Conversation[] = []
  for (const channel of channels) {
    const memberIds = await membersOf(db, channel.id)
    if (!(await options.mayRead(channel))) continue
    await zip.addText(`data/messages/${channel.id}.jsonl`, messageLines(options, channel, count))
    const userOf = await options.namesOf(memberIds)
    const title = titleOf(
      channel,
      memberIds.map((id) => userOf(id).name),
    )
    const messages = await countMessages(db, channel.id, channel.seq)
    const pageStarts = await writePages({ ...options, emoji }, channel, title, messages)
    conversations.push({ channel, title, messages, pageStarts })
    const mayRead = () => options.mayRead(channel)
    const files = () => filesOf(db, { channelId: channel.id }, mayRead)
    await zip.addText(`data/files/${channel.id}.jsonl`, fileLines(files()))
    await zip.addText(filesPath(channel.id), filesPage(files(), title))
    await writeFiles(options, files(), mayRead)
  }
  await zip.addText('data/channels.jsonl', channelLines(options, conversations))
  if (scope === 'mine' && readerId !== null) await writeOwn(options, readerId, channels)
  await writeSearch(options, conversations)
  await zip.addText('index.html', indexPage(options, indexHead(workspace, exportedAt), conversations))
  await zip.addText('style.css', [STYLE])
  zip.end()
}

/** What a person wrote, uploaded, saved and scheduled anywhere. @param channels whose files are written already */
async function writeOwn(options: Options, userId: string, channels: ExportedChannel[]) {
  const { db, zip } = options
  await zip.addText('data/my-messages.jsonl', ownLines(db, userId))
  await zip.addText('data/my-later.jsonl', laterLines(db, userId))
  await zip.addText('data/my-scheduled-messages.jsonl', scheduledLines(db, userId))
  const own = () => filesOf(db, { userId }, async () => true)
  await zip.addText('data/my-files.jsonl', fileLines(own()))
  const isWritten = new Set(channels.map(({ id }) => id))
  await writeFiles(
    options,
    own(),
    async () => true,
    ({ channelId }) => !isWritten.has(channelId ?? ''),
  )
}

async function* people(db: Db, readerId: string | null, scope: ArchiveRequest['scope']) {
  const withEmail = scope === 'workspace' || scope === 'all'
  const { profileFields } = await db.selectFrom('workspace').select('profileFields').executeTakeFirstOrThrow()
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'username', 'name', 'email', 'role', 'createdAt', 'deactivatedAt', 'statusEmoji', 'language'])
      .leftJoin('notification_settings', 'notification_settings.userId', 'users.id')
      .select(['statusText', 'timeZone', 'profile', 'schedule', 'keywords'])
      .where('id', '>', after)
      .$if(readerId !== null, (query) => query.where(isKnownTo(readerId ?? '', 'users.id')))
      .orderBy('id')
      .limit(500)
      .execute()
    for (const { email, language, role, statusText, timeZone, profile, schedule, keywords, ...shown } of rows)
      yield jsonLine({
        ...shown,
        ...((withEmail || shown.id === readerId) && { email, role, language }),
        ...(shown.id === readerId && {
          statusText,
          timeZone,
          profile: namedFields(profile, profileFields),
          notificationSchedule: schedule,
          keywords: keywords ?? [],
        }),
      })
    const last = rows.at(-1)
    if (!last || rows.length < 500) return
    after = last.id
  }
}

/** A person's profile values, by field name. */
function namedFields(profile: unknown, fields: unknown) {
  const values = profile as Record<string, string>
  return Object.fromEntries(
    (fields as { id: string; label: string | null }[])
      .filter(({ id }) => values[id])
      .map(({ id, label }) => [label ?? id, values[id]]),
  )
}

async function* indexPage({ mayRead }: Options, head: string, conversations: Conversation[]) {
  yield head
  for (const conversation of conversations) if (await mayRead(conversation.channel)) yield indexLine(conversation)
  yield `</ul>${PAGE_END}`
}

/** Includes the members, who may be many, so one channel at a time. */
async function* channelLines({ db, mayRead }: Options, conversations: Conversation[]) {
  for (const { channel } of conversations) {
    const { seq: _, ...facts } = channel
    const memberIds = await membersOf(db, channel.id)
    if (await mayRead(channel)) yield jsonLine({ ...facts, memberIds })
  }
}

/** The line of a message with all reactors and its earlier texts. */
const lineOf = async (db: Db, row: MessageRow) => messageLine(await withReactors(db, row), await earlierTexts(db, row))

async function* messageLines(options: Options, channel: ExportedChannel, count: (more: number) => Promise<void>) {
  const mayRead = () => options.mayRead(channel)
  for await (const page of pagesOf(options.db, channel.id, channel.seq)) {
    if (!(await mayRead())) return
    for (const row of page) {
      yield await lineOf(options.db, row)
      for await (const reply of repliesTo(options.db, row, mayRead)) yield await lineOf(options.db, reply)
    }
    await count(page.length)
  }
}

type Files = ReturnType<typeof filesOf>

async function* fileLines(files: Files) {
  for await (const file of files) yield fileLine(file)
}

async function* filesPage(files: Files, title: string) {
  yield filesHead(title)
  for await (const file of files) if (file.messageId === null) yield fileHtml(file)
  yield PAGE_END
}

async function* ownLines(db: Db, userId: string) {
  for await (const rows of messagesBy(db, userId)) {
    const readable = await stillReadable(
      db,
      userId,
      rows.map(({ channelId }) => channelId),
    )
    // Reactions and pins in a conversation that the person has left are none of their business.
    const left = { reactions: [], pinnedAt: null, pinnedBy: null }
    for (const row of rows)
      yield readable.has(row.channelId)
        ? await lineOf(db, row)
        : messageLine({ ...row, ...left }, await earlierTexts(db, row))
  }
}

async function* scheduledLines(db: Db, userId: string) {
  for (const message of await scheduledOf(db, userId)) yield jsonLine(message)
}

async function* laterLines(db: Db, userId: string) {
  for await (const item of laterOf(db, userId)) yield jsonLine(item)
}

/** @returns the `seq` of each page's first message */
async function writePages(
  options: Options & { emoji: EmojiPaths },
  channel: ExportedChannel,
  title: string,
  messages: number,
) {
  const { emoji } = options
  const pages = Math.max(1, Math.ceil(messages / MESSAGES_PER_PAGE))
  const source = pagesOf(options.db, channel.id, channel.seq)
  const pageStarts: number[] = []
  let waiting: MessageRow[] = []
  for (let page = 1; page <= pages; page++) {
    let left = page < pages ? MESSAGES_PER_PAGE : Number.POSITIVE_INFINITY
    async function* html() {
      yield pageHead(title, '../../') + channelHead(title, channel, emoji, { page, pages })
      for (;;) {
        const rows = waiting
        const own = rows.slice(0, left)
        left -= own.length
        if (own[0]) pageStarts[page - 1] ??= own[0].seq
        for (const row of own) {
          yield messageHtml(row, await options.namesOf(idsIn(row)), emoji)
          if (row.replyCount === 0) continue
          yield threadHead(row.replyCount)
          for await (const reply of repliesTo(options.db, row, () => options.mayRead(channel)))
            yield messageHtml(reply, await options.namesOf(idsIn(reply)), emoji)
          yield THREAD_END
        }
        waiting = rows.slice(own.length)
        if (left === 0 || !(await options.mayRead(channel))) break
        const next = await source.next()
        if (next.done) break
        waiting = next.value
      }
      yield pageNav({ page, pages }) + PAGE_END
    }
    await options.zip.addText(pagePath(channel.id, page), html())
  }
  return pageStarts
}

const idsIn = ({ userId, reactions }: { userId: string; reactions: { userIds: string[] }[] }) => [
  userId,
  ...reactions.flatMap(({ userIds }) => userIds.slice(0, 10)),
]

async function writeFiles(
  { storage, zip }: Options,
  files: Files,
  mayRead: () => Promise<boolean>,
  isWanted: (file: { channelId: string | null }) => boolean = () => true,
) {
  for await (const file of files) {
    if (!isWanted(file)) continue
    if (!(await mayRead())) return
    if (file.size === 0) {
      await zip.addText(filePath(file), [])
      continue
    }
    // It may have been deleted in the meantime.
    const bytes = await storage.read(storageKeyOf(file.id), file.size)
    if (bytes) await zip.addBytes(filePath(file), bytes)
  }
}
