import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { call } from '../../api.ts'
import { type MessageWindow, prepend, take } from './window.ts'

const PAGE = limits.page.default

/** The newest messages of a channel, back to where the reader scrolled. */
export const messagesIn = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId, 'messages'] as const,
    queryFn: async (): Promise<MessageWindow> => {
      const { body, headers } = await call(listMessages, { params: { channelId }, query: { limit: PAGE } })
      return { messages: body, hasOlder: body.length === PAGE, hasNewer: false, known: headers['parley-rev'] }
    },
    // Kept true by events and changes (channel-sync.ts), never by time: a refetch would drop what was scrolled to.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Puts the page before the oldest message held in front of it. */
export async function loadOlder(client: QueryClient, channelId: string) {
  const { queryKey } = messagesIn(channelId)
  const before = client.getQueryData(queryKey)?.messages[0]?.seq
  if (before === undefined) return
  const { body, headers } = await call(listMessages, { params: { channelId }, query: { limit: PAGE, before } })
  client.setQueryData(queryKey, (held) =>
    held?.messages[0]?.seq === before ? prepend(held, body, body.length === PAGE, headers['parley-rev']) : held,
  )
}

/** Shows my own message as soon as the reply comes; the window's revision moves with the event. */
export function addOwn(client: QueryClient, message: Message) {
  client.setQueryData(messagesIn(message.channelId).queryKey, (held) => held && take(held, [message]))
}
