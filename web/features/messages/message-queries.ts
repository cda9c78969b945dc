import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { listThread } from '#contract/threads'
import { ApiError, call } from '../../api.ts'
import { type MessageWindow, prepend, take } from './window.ts'

const PAGE = limits.page.default

/** The newest messages of a channel, or the newest replies of one of its threads, back to where the reader scrolled. */
export const messagesIn = (channelId: string, threadId: string | null = null) =>
  queryOptions({
    queryKey: ['channel', channelId, 'messages', threadId] as const,
    queryFn: () => readPage(channelId, threadId),
    // Kept true by events and changes (channel-sync.ts), never by time: a refetch would drop what was scrolled to.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All windows of a channel: its own, and those of its threads. */
export const windowsOf = (channelId: string) => ['channel', channelId, 'messages'] as const

export const isWindow = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === 'channel' && queryKey[2] === 'messages'

/** Puts the page before the oldest message held in front of it. */
export async function loadOlder(client: QueryClient, channelId: string, threadId: string | null = null) {
  const { queryKey } = messagesIn(channelId, threadId)
  const before = client.getQueryData(queryKey)?.messages[0]?.seq
  if (before === undefined) return
  const page = await readPage(channelId, threadId, before)
  client.setQueryData(queryKey, (held) => (held?.messages[0]?.seq === before ? prepend(held, page) : held))
}

async function readPage(channelId: string, threadId: string | null, before?: number): Promise<MessageWindow> {
  const query = { limit: PAGE, before }
  if (threadId === null) {
    const { body, headers } = await call(listMessages, { params: { channelId }, query })
    return windowFrom(body, headers)
  }
  const { body, headers } = await call(listThread, { params: { threadId }, query })
  const [parent, ...replies] = body
  if (!parent) throw new Error('Unable to load thread')
  // Named by an address that joins two channels: among the windows of this one it would follow the other's revisions.
  if (parent.channelId !== channelId) throw new ApiError(404)
  return { parent, ...windowFrom(replies, headers) }
}

const windowFrom = (messages: Message[], headers: { 'parley-rev': number }): MessageWindow => ({
  messages,
  hasOlder: messages.length === PAGE,
  hasNewer: false,
  known: headers['parley-rev'],
})

/** Shows my own message as soon as the reply comes; the window's revision moves with the event. */
export function addOwn(client: QueryClient, message: Message) {
  client.setQueryData(messagesIn(message.channelId, message.threadId).queryKey, (held) => held && take(held, [message]))
}
