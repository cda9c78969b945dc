import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { call } from '../../api.ts'

/** The part of a channel this browser holds: always up to the newest message, back to where the reader scrolled. */
export interface MessageWindow {
  /** Oldest first, without a gap. */
  messages: Message[]
  hasOlder: boolean
}

const PAGE = limits.page.default

export const messagesIn = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId, 'messages'] as const,
    queryFn: () => newest(channelId),
    // Kept true by events and by catchUp, never by time: a refetch would throw away what was scrolled to.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What was heard of a channel while its newest page was on the way: the page may have been read just before. */
const heard = new Map<string, Message[]>()

async function newest(channelId: string): Promise<MessageWindow> {
  const since: Message[] = []
  heard.set(channelId, since)
  try {
    const { body } = await call(listMessages, { params: { channelId }, query: { limit: PAGE } })
    return merge({ messages: body, hasOlder: body.length === PAGE }, since)
  } finally {
    if (heard.get(channelId) === since) heard.delete(channelId)
  }
}

/** Puts the page before the oldest message held in front of it. */
export async function loadOlder(client: QueryClient, channelId: string) {
  const { queryKey } = messagesIn(channelId)
  const before = client.getQueryData(queryKey)?.messages[0]?.seq
  if (before === undefined) return
  const { body } = await call(listMessages, { params: { channelId }, query: { limit: PAGE, before } })
  client.setQueryData(queryKey, (held) =>
    held?.messages[0]?.seq === before
      ? { messages: [...body, ...held.messages], hasOlder: body.length === PAGE }
      : held,
  )
}

/** Adds a message by its number, once, whether the event or the reply to the sender came first. */
export function addMessage(client: QueryClient, message: Message) {
  heard.get(message.channelId)?.push(message)
  client.setQueryData(messagesIn(message.channelId).queryKey, (held) => held && merge(held, [message]))
}

/** After a time without the socket: asks for what was said in each channel held. */
export function catchUpAll(client: QueryClient) {
  const held = client.getQueryCache().findAll({ predicate: ({ queryKey }) => queryKey[2] === 'messages' })
  for (const { queryKey } of held) catchUp(client, queryKey[1] as string)
}

/** Brings in what was said in a channel while it was not listened to; what cannot be asked now is asked again later. */
export function catchUp(client: QueryClient, channelId: string) {
  const { queryKey } = messagesIn(channelId)
  const reload = () => client.invalidateQueries({ queryKey })
  const known = lastBeforeGap(client.getQueryData(queryKey)?.messages ?? [])
  if (known === undefined) return void reload()
  call(listMessages, { params: { channelId }, query: { limit: limits.page.max, after: known } }).then(
    ({ body }) => {
      if (body.length === limits.page.max) return reload()
      client.setQueryData(queryKey, (held) => held && merge(held, body))
      return undefined
    },
    (error) => {
      console.error('Could not catch up:', error)
      return reload()
    },
  )
}

/**
 * The number up to which nothing is missing. My own message may have gone out, and its reply come in, before what
 * others said in between was asked for.
 */
export function lastBeforeGap(messages: Message[]): number | undefined {
  const gap = messages.findIndex(({ seq }, i) => i > 0 && seq !== (messages[i - 1] as Message).seq + 1)
  return messages.at(gap < 0 ? -1 : gap - 1)?.seq
}

function merge(held: MessageWindow, fresh: Message[]): MessageWindow {
  const known = new Set(held.messages.map(({ id }) => id))
  const added = fresh.filter(({ id }) => !known.has(id))
  if (added.length === 0) return held
  return { ...held, messages: [...held.messages, ...added].sort((a, b) => a.seq - b.seq) }
}
