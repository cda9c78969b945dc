import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { StoredFile } from './files.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { Broadcast, Mention } from './mentions.ts'
import { contentOf, typedText } from './text.ts'
import { User } from './users.ts'

/** Those who reacted, by emoji: at most 50 people each, the first ones; on a message at most 300, fewer of each emoji. */
export const Reactions = z.record(z.string(), z.array(User))
export type Reactions = z.output<typeof Reactions>

/** What a parent shows of its thread. */
export const ThreadFacts = z.object({
  replyCount: z.int(),
  lastReplyAt: z.nullable(Time),
  /** Up to three, the last one first. */
  lastRepliers: z.array(User),
})
export type ThreadFacts = z.output<typeof ThreadFacts>

/**
 * A message as every reader of its channel sees it: nothing in it depends on who asks.
 * `seq` is its place in the channel, or in its thread where it is a reply; `rev` the channel's revision at its last change.
 */
export const Message = z.object({
  id: Id,
  channelId: Id,
  /** Of a reply: its parent. */
  threadId: z.nullable(Id),
  userId: UserId,
  user: User,
  content: z.string(),
  /** The key the sender made before sending; a repeat of the same key is the same message. */
  clientId: z.nullable(z.string()),
  seq: z.int(),
  rev: z.int(),
  createdAt: Time,
  /** Moves with any change. */
  updatedAt: Time,
  /** When its author changed the text last. */
  editedAt: z.nullable(Time),
  /** A deleted message keeps its place, without its text. */
  deletedAt: z.nullable(Time),
  /** In the order in which they were attached. */
  files: z.array(StoredFile),
  mentions: z.array(Mention),
  broadcast: z.nullable(Broadcast),
  reactions: Reactions,
  /** How many people reacted, by emoji. */
  reactionCounts: z.record(z.string(), z.int()),
  ...ThreadFacts.shape,
})
export type Message = z.output<typeof Message>

/** What one writes, and the key made for it before it was sent. */
export const Sent = z.object({
  /** May be empty where there are files. */
  content: z.pipe(typedText(limits.messageContent, 0), z.transform(contentOf)),
  clientId: z.optional(typedText(limits.clientId)),
  /** Uploaded before, by me, into the same channel, and in no message yet. */
  fileIds: z.optional(
    z.array(Id).check(
      z.maxLength(limits.attachments, `must name at most ${limits.attachments} files`),
      z.refine((ids) => new Set(ids).size === ids.length, 'must name each file once'),
    ),
  ),
})
/** Says something, or brings files. */
export const notEmpty = z.refine<{ content: string; fileIds?: string[] | undefined }>(
  ({ content, fileIds = [] }) => content !== '' || fileIds.length > 0,
  { error: 'must not be empty', path: ['content'] },
)
/** Empty only where the message has files. */
export const Rewritten = z.extend(z.pick(Sent, { content: true }), {
  /** The message's `editedAt` as it was when the edit began: 409 `edit_conflict` where its text is another one by now. */
  editedAt: z.optional(z.nullable(Time)),
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/messages/channel/:channelId',
  summary:
    'A page of top-level messages, oldest first; the newest page unless `before`, `after` or `around` say otherwise.',
  params: z.object({ channelId: Id }),
  query: z.object({
    limit: z._default(numeral(1, limits.page.max), limits.page.default),
    before: z.optional(numeral(1)),
    after: z.optional(numeral(0)),
    around: z.optional(Id),
  }),
  alsoStatus: 304,
  reply: z.array(Message),
  /** The channel's revision that the page shows. */
  headers: z.object({ 'parley-rev': numeral(0) }),
})

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages',
  summary: 'Send a message. A repeat with the same `clientId` answers 200 and the first message.',
  body: z
    .extend(Sent, {
      channelId: Id,
      /** The parent, where it is a reply. */
      threadId: z.optional(Id),
    })
    .check(notEmpty),
  status: 201,
  alsoStatus: 200,
  reply: Message,
})

export const editMessage = endpoint({
  method: 'PUT',
  path: '/api/messages/:messageId',
  summary: 'Change the text of a message of mine.',
  params: z.object({ messageId: Id }),
  body: Rewritten,
  reply: Message,
})

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/messages/:messageId',
  summary: 'Delete a message; its place stays, without its text.',
  params: z.object({ messageId: Id }),
  status: 204,
  reply: z.undefined(),
})
