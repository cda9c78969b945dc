import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { StoredFile } from './files.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { Broadcast, Mention } from './mentions.ts'
import { contentOf, typedText } from './text.ts'
import { Face, User } from './users.ts'

/** The first users who reacted, by emoji: at most 50 each, and at most 300 per message. */
export const Reactions = z.record(z.string(), z.array(User))
export type Reactions = z.output<typeof Reactions>

/** A thread's summary on its parent. */
export const ThreadFacts = z.object({
  replyCount: z.int(),
  lastReplyAt: z.nullable(Time),
  /** Up to three, latest first. */
  lastRepliers: z.array(Face),
})
export type ThreadFacts = z.output<typeof ThreadFacts>

/** Who pinned a message, and when. */
export const Pin = z.object({ at: Time, by: Face })
export type Pin = z.output<typeof Pin>

/** What a link in a message leads to. Title and description may be empty. */
export const LinkPreview = z.object({
  /** As in the text. */
  url: z.string(),
  title: z.string(),
  description: z.string(),
  /** The site's name, or its host. */
  site: z.string(),
  /** Width and height are pixels of the original. */
  picture: z.nullable(z.object({ url: z.string(), width: z.int(), height: z.int() })),
})
export type LinkPreview = z.output<typeof LinkPreview>

/**
 * A message as every reader of its channel sees it: nothing in it depends on the reader. `seq` is its position in the
 * channel, or in its thread if it is a reply; `rev` is the channel's revision at its last change.
 */
export const Message = z.object({
  id: Id,
  channelId: Id,
  /** The parent, if this is a reply. */
  threadId: z.nullable(Id),
  userId: UserId,
  user: Face,
  content: z.string(),
  /** The sender's key; sending it again returns the same message. */
  clientId: z.nullable(z.string()),
  seq: z.int(),
  rev: z.int(),
  createdAt: Time,
  /** When it last changed in any way. */
  updatedAt: Time,
  /** When the author last edited the text. */
  editedAt: z.nullable(Time),
  /** A deleted message stays as an empty tombstone. */
  deletedAt: z.nullable(Time),
  /** In the order they were attached. */
  files: z.array(StoredFile),
  mentions: z.array(Mention),
  broadcast: z.nullable(Broadcast),
  reactions: Reactions,
  /** Number of users who reacted, by emoji. */
  reactionCounts: z.record(z.string(), z.int()),
  /** Absent unless it is pinned. */
  pin: z.optional(Pin),
  /** Of the first links in the text, in their order. Absent without any. */
  previews: z.optional(z.array(LinkPreview)),
  ...ThreadFacts.shape,
})
export type Message = z.output<typeof Message>

/** A message to send, with its key. */
export const Sent = z.object({
  /** May be empty if there are files. */
  content: z.pipe(typedText(limits.messageContent, 0), z.transform(contentOf)),
  clientId: z.optional(typedText(limits.clientId)),
  /** Uploaded by me into the same channel, and not sent yet. */
  fileIds: z.optional(
    z.array(Id).check(
      z.maxLength(limits.attachments, fieldProblem('errors.tooManyFiles', { max: limits.attachments })),
      z.refine((ids) => new Set(ids).size === ids.length, fieldProblem('errors.repeatedFile')),
    ),
  ),
})
/** For a reply. */
export const AlsoToChannel = z.object({
  /** Whether a message of mine in the channel quotes it. Needs the right to post there. */
  alsoToChannel: z.optional(z.boolean()),
})
/** Requires text or files. */
export const notEmpty = z.refine<{ content: string; fileIds?: string[] | undefined }>(
  ({ content, fileIds = [] }) => content !== '' || fileIds.length > 0,
  { error: fieldProblem('errors.empty'), path: ['content'] },
)
/** May be empty only if the message has files. */
export const Rewritten = z.extend(z.pick(Sent, { content: true }), {
  /** The message's `editedAt` when the edit began: 409 `edit_conflict` if the text has changed since. */
  editedAt: z.optional(z.nullable(Time)),
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/messages/channel/:channelId',
  summary:
    'A page of top-level messages, oldest first: the newest page, or the one given by `before`, `after` or `around`.',
  params: z.object({ channelId: Id }),
  query: z.object({
    limit: z._default(numeral(1, limits.page.max), limits.page.default),
    before: z.optional(numeral(1)),
    after: z.optional(numeral(0)),
    around: z.optional(Id),
  }),
  alsoStatus: 304,
  reply: z.array(Message),
  /** The channel's revision of this page. */
  headers: z.object({ 'parley-rev': numeral(0) }),
})

export const readMessages = endpoint({
  method: 'POST',
  path: '/api/messages/read',
  summary: 'The messages and replies with these ids, in any order, without those that I cannot read.',
  body: z.object({ messageIds: z.array(Id).check(z.maxLength(limits.messagesById)) }),
  reply: z.array(Message),
})

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages',
  summary: 'Send a message. A repeat with the same `clientId` returns 200 and the first message.',
  body: z
    .extend(Sent, {
      channelId: Id,
      /** The parent, if it is a reply. */
      threadId: z.optional(Id),
      ...AlsoToChannel.shape,
    })
    .check(notEmpty),
  status: 201,
  alsoStatus: 200,
  reply: Message,
})

export const editMessage = endpoint({
  method: 'PUT',
  path: '/api/messages/:messageId',
  summary: 'Edit one of my messages.',
  params: z.object({ messageId: Id }),
  body: Rewritten,
  reply: Message,
})

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/messages/:messageId',
  summary: 'Delete a message; an empty tombstone stays.',
  params: z.object({ messageId: Id }),
  status: 204,
  reply: z.undefined(),
})
