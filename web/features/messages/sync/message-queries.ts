import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { listThread } from '#contract/threads'
import { ApiError, answerTo, isRefusal } from '../../../api-client/api.ts'
import { append, holds, type MessageWindow, prepend, take, trim } from './message-window.ts'

const PAGE = limits.page.default
/** What is read ahead while somebody scrolls. */
const NEXT = limits.page.max
/** Messages of a channel that are held at most while somebody scrolls: of 100,000 the browser never has more. */
const MOST = 400
/** Read messages that stand above the first unread one. */
const CONTEXT = 12

/** Where a channel is read from: about a message, or about a number in it; else from its end. */
export type From = { id: string } | { seq: number } | undefined

/**
 * A part of a channel, the newest messages unless said otherwise, or the newest replies of one of its threads; and on
 * from there to where the reader scrolled.
 */
export const messagesIn = (channelId: string, threadId: string | null = null, from?: From) =>
  queryOptions({
    queryKey: ['channel', channelId, 'messages', threadId] as const,
    queryFn: () => (threadId === null ? readFirst(channelId, from) : readReplies(channelId, threadId)),
    // Kept true by events and changes (channel-sync.ts), never by time: a refetch would drop what was scrolled to.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All windows of a channel: its own, and those of its threads. */
export const windowsOf = (channelId: string) => ['channel', channelId, 'messages'] as const

export const isWindow = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === 'channel' && queryKey[2] === 'messages'

/** Puts the page before the oldest message held in front of it; what is far behind the reader then is let go. */
export async function loadOlder(client: QueryClient, channelId: string, threadId: string | null = null) {
  const { queryKey } = messagesIn(channelId, threadId)
  const before = client.getQueryData(queryKey)?.messages[0]?.seq
  if (before === undefined) return
  if (threadId !== null) {
    const page = await readReplies(channelId, threadId, before)
    client.setQueryData(queryKey, (held) => (held?.messages[0]?.seq === before ? prepend(held, page) : held))
    return
  }
  const page = await readPage(channelId, { before, limit: NEXT })
  client.setQueryData(queryKey, (held) =>
    held?.messages[0]?.seq === before ? trim(prepend(held, page), MOST, 'oldest') : held,
  )
}

/** Puts the page after the newest message held behind it. */
export async function loadNewer(client: QueryClient, channelId: string) {
  const { queryKey } = messagesIn(channelId)
  const after = client.getQueryData(queryKey)?.messages.at(-1)?.seq
  if (after === undefined) return
  const page = await readPage(channelId, { after, limit: NEXT })
  client.setQueryData(queryKey, (held) =>
    held?.messages.at(-1)?.seq === after ? trim(append(held, page), MOST, 'newest') : held,
  )
}

/** Holds another part of a channel, where what is held has not got it. */
export async function loadFrom(client: QueryClient, channelId: string, from: From): Promise<MessageWindow> {
  const { queryKey } = messagesIn(channelId)
  const held = client.getQueryData(queryKey)
  if (held && reaches(held, from)) return held
  const read = await readFrom(channelId, from)
  client.setQueryData(queryKey, read)
  return read
}

export function reaches(held: MessageWindow, from: From) {
  if (!from) return !held.hasNewer
  return 'id' in from ? held.messages.some(({ id }) => id === from.id) : holds(held, from.seq)
}

/** Lets go of what was scrolled to long ago. */
export const letGo = (client: QueryClient, channelId: string) =>
  client.setQueryData(messagesIn(channelId).queryKey, (held) =>
    held && !held.hasNewer && held.messages.length > 2 * MOST ? trim(held, MOST, 'newest') : held,
  )

/** A link may lead nowhere, and the channel be there all the same. */
const readFirst = (channelId: string, from: From) =>
  readFrom(channelId, from).catch((error) => {
    if (from !== undefined && isRefusal(error)) return readFrom(channelId, undefined)
    throw error
  })

/** Whether a number stands, with what is shown above it, among the newest messages. */
export const isNearEnd = (seq: number, newest = seq) => newest - seq + 1 + CONTEXT <= PAGE

function readFrom(channelId: string, from: From) {
  if (!from) return readPage(channelId, { limit: PAGE })
  if ('id' in from) return readPage(channelId, { around: from.id, limit: PAGE })
  return readPage(channelId, { after: Math.max(0, from.seq - 1 - CONTEXT), limit: PAGE })
}

interface Query {
  limit: number
  before?: number | undefined
  after?: number
  around?: string
}

async function readPage(channelId: string, query: Query): Promise<MessageWindow> {
  const answer = await answerTo(listMessages, { params: { channelId }, query })
  const messages: ReplyOf<typeof listMessages> = await answer.json()
  return windowFrom(messages, answer, query)
}

async function readReplies(channelId: string, threadId: string, before?: number): Promise<MessageWindow> {
  const query = { limit: PAGE, before }
  const answer = await answerTo(listThread, { params: { threadId }, query })
  const [parent, ...replies]: ReplyOf<typeof listThread> = await answer.json()
  if (!parent) throw new Error('Unable to load thread')
  // Named by an address that joins two channels: among the windows of this one it would follow the other's revisions.
  if (parent.channelId !== channelId) throw new ApiError(404)
  return { parent, ...windowFrom(replies, answer, query) }
}

/** Numbers have no gaps and begin with 1. Where a page goes on, it is full. */
function windowFrom(messages: Message[], { headers }: Response, query: Partial<Query>): MessageWindow {
  const { limit = PAGE, after, around } = query
  const isFull = around
    ? messages.length - 1 - messages.findIndex(({ id }) => id === around) >= Math.floor(limit / 2)
    : after !== undefined && messages.length === limit
  return {
    messages,
    hasOlder: messages.length > 0 && messages[0]?.seq !== 1,
    hasNewer: isFull,
    known: Number(headers.get('parley-rev')),
  }
}

/** Shows my own message as soon as the reply comes; the window's revision moves with the event. */
export function addOwn(client: QueryClient, message: Message) {
  client.setQueryData(messagesIn(message.channelId, message.threadId).queryKey, (held) => held && take(held, [message]))
}
