import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { type FollowedThread, listThread } from '#contract/threads'
import { ApiError, fetchResponse, isRefusal } from '../../../api-client/api.ts'
import { append, covers, insertMessages, type MessageWindow, prepend, trim } from './message-window.ts'

const PAGE_SIZE = limits.page.default
/** Larger, because it is fetched before the user scrolls there. */
const NEXT_PAGE_SIZE = limits.page.max
/** At most this many messages of a channel stay loaded, however long it is. */
const MAX_LOADED_MESSAGES = 400
/** Read messages shown above the first unread one. */
const CONTEXT_MESSAGES = 12

/** Where to open a channel: around a message or a `seq`; undefined for its end. */
export type Anchor = { id: string } | { seq: number } | undefined

/** A window of a channel's messages or a thread's replies, by default the newest. It grows as the user scrolls. */
export const messagesIn = (channelId: string, threadId: string | null = null, from?: Anchor) =>
  queryOptions({
    queryKey: ['channel', channelId, 'messages', threadId] as const,
    queryFn: () => (threadId === null ? fetchFirst(channelId, from) : fetchReplies(channelId, threadId)),
    // channel-sync.ts keeps it up to date. A refetch would drop the pages loaded by scrolling.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All windows of a channel: its own, and those of its threads. */
export const windowsOf = (channelId: string) => ['channel', channelId, 'messages'] as const

export const isWindow = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === 'channel' && queryKey[2] === 'messages'

/** Fetches the page before the oldest loaded message, and drops messages far below the user. */
export async function loadOlder(client: QueryClient, channelId: string, threadId: string | null = null) {
  const { queryKey } = messagesIn(channelId, threadId)
  const before = client.getQueryData(queryKey)?.messages[0]?.seq
  if (before === undefined) return
  if (threadId !== null) {
    const page = await fetchReplies(channelId, threadId, before)
    client.setQueryData(queryKey, (current) =>
      current?.messages[0]?.seq === before ? prepend(current, page) : current,
    )
    return
  }
  const page = await fetchPage(channelId, { before, limit: NEXT_PAGE_SIZE })
  client.setQueryData(queryKey, (current) =>
    current?.messages[0]?.seq === before ? trim(prepend(current, page), MAX_LOADED_MESSAGES, 'oldest') : current,
  )
}

/** Fetches the page after the newest loaded message, and drops messages far above the user. */
export async function loadNewer(client: QueryClient, channelId: string) {
  const { queryKey } = messagesIn(channelId)
  const after = client.getQueryData(queryKey)?.messages.at(-1)?.seq
  if (after === undefined) return
  const page = await fetchPage(channelId, { after, limit: NEXT_PAGE_SIZE })
  client.setQueryData(queryKey, (current) =>
    current?.messages.at(-1)?.seq === after ? trim(append(current, page), MAX_LOADED_MESSAGES, 'newest') : current,
  )
}

/** Replaces the window with one that covers an anchor, unless it does already. */
export async function loadFrom(client: QueryClient, channelId: string, from: Anchor): Promise<MessageWindow> {
  const { queryKey } = messagesIn(channelId)
  const current = client.getQueryData(queryKey)
  if (current && coversAnchor(current, from)) return current
  const window = await fetchFrom(channelId, from)
  client.setQueryData(queryKey, window)
  return window
}

function coversAnchor(current: MessageWindow, from: Anchor) {
  if (!from) return !current.hasNewer
  return 'id' in from ? current.messages.some(({ id }) => id === from.id) : covers(current, from.seq)
}

/** Drops old messages of a window that ends with the newest one. */
export const trimWindow = (client: QueryClient, channelId: string) =>
  client.setQueryData(messagesIn(channelId).queryKey, (current) =>
    current && !current.hasNewer && current.messages.length > 2 * MAX_LOADED_MESSAGES
      ? trim(current, MAX_LOADED_MESSAGES, 'newest')
      : current,
  )

/** If a link's message does not exist, opens the end of the channel instead. */
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
  const response = await fetchResponse(listMessages, { params: { channelId }, query })
  const messages: ReplyOf<typeof listMessages> = await response.json()
  return windowFrom(messages, response, query)
}

async function fetchReplies(channelId: string, threadId: string, before?: number): Promise<MessageWindow> {
  const query = { limit: PAGE_SIZE, before }
  const response = await fetchResponse(listThread, { params: { threadId }, query })
  const [parent, ...replies]: ReplyOf<typeof listThread> = await response.json()
  if (!parent) throw new Error('Unable to load thread')
  // The URL may name a thread of another channel, whose revisions this window would not follow.
  if (parent.channelId !== channelId) throw new ApiError(404)
  return { parent, ...windowFrom(replies, response, query) }
}

/** There are older messages unless the page is empty or has `seq` 1, and newer ones if a page towards them is full. */
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

/**
 * Holds the replies listed with a thread as its window, unless there is one. Not as initial data of the query: a reset
 * would bring them back, however old they are.
 */
export function holdReplies(client: QueryClient, { parent, threadId, latestReplies, rev }: FollowedThread) {
  const { queryKey } = messagesIn(parent.channelId, threadId)
  const first = latestReplies[0]
  if (rev === undefined || !first || client.getQueryData(queryKey)) return
  client.setQueryData(queryKey, { parent, messages: latestReplies, hasOlder: first.seq !== 1, hasNewer: false, rev })
}

/** Shows my message as soon as the server has stored it. The window's revision advances only with the event. */
export function insertSent(client: QueryClient, message: Message) {
  client.setQueryData(
    messagesIn(message.channelId, message.threadId).queryKey,
    (current) => current && insertMessages(current, [message]),
  )
}
