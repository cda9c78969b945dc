import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import type { Message } from '#contract/messages'
import type { Face } from '#contract/users'
import { renamed, withNames } from '../../../cache/message-update.ts'
import { invalidate, patch } from '../../../cache/patch-query.ts'
import { windowsOf } from './message-queries.ts'
import type { MessageWindow } from './message-window.ts'

/** No events come from public channels that I have not joined, and of messages that were removed for good. */
const STALE_MS = 60_000
const REFETCH_MS = 300_000
const RETRY_MS = 15_000

/** A message or reply that another one quotes; null if I cannot read it, or it is gone. */
export const quotedMessage = (messageId: string) =>
  queryOptions({
    queryKey: ['quoted', messageId] as const,
    queryFn: async (): Promise<Message | null> => (await import('./load-quoted.ts')).loadQuoted(messageId),
    staleTime: STALE_MS,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : REFETCH_MS),
  })

/** A message as the conversations that are loaded show it, so that it need not be waited for. */
export function heldMessage(client: QueryClient, channelId: string, messageId: string) {
  const windows = client.getQueriesData<MessageWindow>({ queryKey: windowsOf(channelId) })
  return windows.flatMap(([, window]) => window?.messages ?? []).find(({ id }) => id === messageId)
}

/** Changes a quoted message that was edited or deleted. */
export const applyToQuoted = (client: QueryClient, message: Message) =>
  patch(client, quotedMessage(message.id).queryKey, (held) => (held && held.rev < message.rev ? message : held))

/** Renames a person in all quoted messages. */
export function renameInQuoted(client: QueryClient, person: Face) {
  const nameOf = renamed(person)
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: ['quoted'] }))
    patch(client, quotedMessage(queryKey[1] as string).queryKey, (held) => held && withNames(held, nameOf))
}

/** My rights have changed: fetches the quoted messages that are shown again. */
export const refetchQuoted = (client: QueryClient) => void invalidate(client, { queryKey: ['quoted'] })

/** I may read messages that I could not. */
export const refetchUnreadable = (client: QueryClient) =>
  void client.invalidateQueries({ queryKey: ['quoted'], predicate: ({ state }) => state.data === null })

export function refetchIfJoined(client: QueryClient, { user }: Payload<'channel:member_joined'>, me: string) {
  if (user.id === me) refetchUnreadable(client)
}

/** I may no longer be able to read a channel: what is quoted from it is not shown until the server has returned it again. */
export const forgetQuoted = (client: QueryClient, { channelId }: { channelId: string }) =>
  void client.resetQueries({
    queryKey: ['quoted'],
    predicate: ({ state }) =>
      state.fetchStatus === 'fetching' || (state.data as Message | null | undefined)?.channelId === channelId,
  })
