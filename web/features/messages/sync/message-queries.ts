import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { listThread } from '#contract/threads'
import { ApiError, fetchResponse, isRefusal } from '../../../api-client/api.ts'
import { append, covers, insertMessages, type MessageWindow, prepend, trim } from './message-window.ts'

const PAGE_SIZE = limits.page.default
/** Larger, because it is fetched ahead of somebody who scrolls. */
const NEXT_PAGE_SIZE = limits.page.max
/** The browser never holds more of a channel while somebody scrolls, however long the channel is. */
const MAX_HELD_MESSAGES = 400
/** Read messages shown above the first unread one. */
const CONTEXT_MESSAGES = 12

/** Where to open a channel: around a message or a `seq`; undefined for its end. */
export type Anchor = { id: string } | { seq: number } | undefined

/** A window of a channel, by default its newest messages, or of the newest replies of one of its threads. It grows as the reader scrolls. */
export const messagesIn = (channelId: string, threadId: string | null = null, from?: Anchor) =>
  queryOptions({
    queryKey: ['channel', channelId, 'messages', threadId] as const,
    queryFn: () => (threadId === null ? fetchFirst(channelId, from) : fetchReplies(channelId, threadId)),
    // channel-sync.ts keeps it up to date. A refetch would drop the pages that the reader scrolled to.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All windows of a channel: its own, and those of its threads. */
export const windowsOf = (channelId: string) => ['channel', channelId, 'messages'] as const

export const isWindow = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === 'channel' && queryKey[2] === 'messages'

/** Fetches the page before the oldest message held, and drops messages far below the reader. */
export async function loadOlder(client: QueryClient, channelId: string, threadId: string | null = null) {
  const { queryKey } = messagesIn(channelId, threadId)
  const before = client.getQueryData(queryKey)?.messages[0]?.seq
  if (before === undefined) return
  if (threadId !== null) {
    const page = await fetchReplies(channelId, threadId, before)
    client.setQueryData(queryKey, (held) => (held?.messages[0]?.seq === before ? prepend(held, page) : held))
    return
  }
  const page = await fetchPage(channelId, { before, limit: NEXT_PAGE_SIZE })
  client.setQueryData(queryKey, (held) =>
    held?.messages[0]?.seq === before ? trim(prepend(held, page), MAX_HELD_MESSAGES, 'oldest') : held,
  )
}

/** Fetches the page after the newest message held, and drops messages far above the reader. */
export async function loadNewer(client: QueryClient, channelId: string) {
  const { queryKey } = messagesIn(channelId)
  const after = client.getQueryData(queryKey)?.messages.at(-1)?.seq
  if (after === undefined) return
  const page = await fetchPage(channelId, { after, limit: NEXT_PAGE_SIZE })
  client.setQueryData(queryKey, (held) =>
    held?.messages.at(-1)?.seq === after ? trim(append(held, page), MAX_HELD_MESSAGES, 'newest') : held,
  )
}

/** Replaces the window with one that covers an anchor, unless it does already. */
export async function loadFrom(client: QueryClient, channelId: string, from: Anchor): Promise<MessageWindow> {
  const { queryKey } = messagesIn(channelId)
  const held = client.getQueryData(queryKey)
  if (held && coversAnchor(held, from)) return held
  const read = await fetchFrom(channelId, from)
  client.setQueryData(queryKey, read)
  return read
}

function coversAnchor(held: MessageWindow, from: Anchor) {
  if (!from) return !held.hasNewer
  return 'id' in from ? held.messages.some(({ id }) => id === from.id) : covers(held, from.seq)
}

/** Drops old messages of a window that ends with the newest one. */
export const trimWindow = (client: QueryClient, channelId: string) =>
  client.setQueryData(messagesIn(channelId).queryKey, (held) =>
    held && !held.hasNewer && held.messages.length > 2 * MAX_HELD_MESSAGES
      ? trim(held, MAX_HELD_MESSAGES, 'newest')
      : held,
  )

/** A link may lead nowhere although the channel exists. */
const fetchFirst = (channelId: string, from: Anchor) =>
  fetchFrom(channelId, from).catch((error) => {
    if (from !== undefined && isRefusal(error)) return fetchFrom(channelId, undefined)
    throw error
  })

/** Whether the first page shows a `seq` and its context. */
export const isNearEnd = (seq: number, newest = seq) => newest - seq + 1 + CONTEXT_MESSAGES <= PAGE_SIZE

function fetchFrom(channelId: string, from: Anchor) {
  if (!from) return fetchPage(channelId, { limit: PAGE_SIZE })
  if ('id' in from) return fetchPage(channelId, { around: from.id, limit: PAGE_SIZE })
  return fetchPage(channelId, { after: Math.max(0, from.seq - 1 - CONTEXT_MESSAGES), limit: PAGE_SIZE })
}

interface Query {
  limit: number
  before?: number | undefined
  after?: number
  around?: string
}

async function fetchPage(channelId: string, query: Query): Promise<MessageWindow> {
  const answer = await fetchResponse(listMessages, { params: { channelId }, query })
  const messages: ReplyOf<typeof listMessages> = await answer.json()
  return windowFrom(messages, answer, query)
}

async function fetchReplies(channelId: string, threadId: string, before?: number): Promise<MessageWindow> {
  const query = { limit: PAGE_SIZE, before }
  const answer = await fetchResponse(listThread, { params: { threadId }, query })
  const [parent, ...replies]: ReplyOf<typeof listThread> = await answer.json()
  if (!parent) throw new Error('Unable to load thread')
  // The URL may name a thread of another channel: here it would follow the wrong channel's revisions.
  if (parent.channelId !== channelId) throw new ApiError(404)
  return { parent, ...windowFrom(replies, answer, query) }
}

/** `seq` begins with 1 and has no gaps. There are more messages if the page is full. */
function windowFrom(messages: Message[], { headers }: Response, query: Partial<Query>): MessageWindow {
  const { limit = PAGE_SIZE, after, around } = query
  const isFull = around
    ? messages.length - 1 - messages.findIndex(({ id }) => id === around) >= Math.floor(limit / 2)
    : after !== undefined && messages.length === limit
  return {
    messages,
    hasOlder: messages.length > 0 && messages[0]?.seq !== 1,
    hasNewer: isFull,
    rev: Number(headers.get('parley-rev')),
  }
}

/** Shows my message as soon as the server has stored it; the window's revision moves with the event. */
export function insertSent(client: QueryClient, message: Message) {
  client.setQueryData(
    messagesIn(message.channelId, message.threadId).queryKey,
    (held) => held && insertMessages(held, [message]),
  )
}
