import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Payload } from '#contract/events'
import { type LaterItem, listDone, listLater, readLaterMessages } from '#contract/later'
import type { Message } from '#contract/messages'
import type { Face } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { renamed, withNames } from '../../../cache/message-update.ts'
import { invalidate, patch } from '../../../cache/patch-query.ts'
import { createWatchers } from '../../../ui/watchers.ts'

/** What I saved for later and my reminders, newest first, without what is done. */
export const myLater = queryOptions({
  queryKey: ['later'] as const,
  queryFn: () => call(listLater, {}),
})

/** What I have done, last first. */
export const doneLater = infiniteQueryOptions({
  queryKey: ['later-done'] as const,
  queryFn: ({ pageParam: cursor }) => call(listDone, { query: cursor === undefined ? {} : { cursor } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** Those of these saved messages that I can still read. */
export const savedMessages = (messageIds: readonly string[]) =>
  queryOptions({
    queryKey: ['later-messages', messageIds] as const,
    queryFn: () => call(readLaterMessages, { body: { messageIds: [...messageIds] } }),
    // No events come from public channels that I have not joined.
    staleTime: 0,
  })

/** The highest revision of each item that changed: events of several nodes may arrive in another order. */
const seen = new Map<string, number>()

/** Call it on each connection: the lists are fetched again, maybe from a restored database. */
export const forgetSeen = () => seen.clear()

/** Adds, changes or removes an item that was saved, changed, or marked as done. */
export function applyLater(client: QueryClient, item: LaterItem) {
  if (item.rev <= (seen.get(item.id) ?? 0)) return
  seen.set(item.id, item.rev)
  const isNew = !client.getQueryData(myLater.queryKey)?.some(({ id }) => id === item.id)
  patch(client, myLater.queryKey, (items) => withItem(items, item))
  void invalidate(client, { queryKey: doneLater.queryKey })
  // While it was not saved, its message was not returned.
  if (isNew && item.messageId !== null) refetchSaved(client)
}

/** Removes an item from the lists. */
export function applyLaterRemoved(client: QueryClient, { id }: { id: string }) {
  seen.set(id, Number.POSITIVE_INFINITY)
  patch(client, myLater.queryKey, (items) =>
    items.some((it) => it.id === id) ? items.filter((it) => it.id !== id) : items,
  )
  void invalidate(client, { queryKey: doneLater.queryKey })
}

/** Takes an item off the lists until the server has answered; a failure brings it back by `refetchLater`. */
export function hideItem(client: QueryClient, { id }: LaterItem) {
  const without = (items: LaterItem[]) => items.filter((it) => it.id !== id)
  patch(client, myLater.queryKey, without)
  patch(client, doneLater.queryKey, (data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, items: without(page.items) })),
  }))
}

/** Fetches the lists again. */
export function refetchLater(client: QueryClient) {
  for (const { queryKey } of [myLater, doneLater]) void invalidate(client, { queryKey })
}

/** The same array if nothing changed. */
export function withItem(items: LaterItem[], item: LaterItem): LaterItem[] {
  const held = items.find(({ id }) => id === item.id)
  if (held ? held.rev >= item.rev : item.doneAt !== null) return items
  const others = items.filter((it) => it !== held)
  return item.doneAt === null ? [...others, item].sort(byNewest) : others
}

/** As the server lists them. */
function byNewest(a: LaterItem, b: LaterItem) {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1
  return a.id > b.id ? -1 : 1
}

/** Changes a saved message that was edited or deleted. */
export function applyToSaved(client: QueryClient, message: Message) {
  patchSaved(client, (held) => (held.id === message.id && held.rev < message.rev ? message : held))
}

/** Renames a person in all saved messages. */
export function renameInSaved(client: QueryClient, person: Face) {
  const nameOf = renamed(person)
  patchSaved(client, (message) => withNames(message, nameOf))
}

function patchSaved(client: QueryClient, change: (message: Message) => Message) {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: ['later-messages'] }))
    patch(client, savedMessages(queryKey[1] as string[]).queryKey, (messages) => {
      const changed = messages.map(change)
      return changed.every((message, n) => message === messages[n]) ? messages : changed
    })
}

/** Fetches the saved messages that are shown again, because I may no longer read some of them. */
export const refetchSaved = (client: QueryClient) => void invalidate(client, { queryKey: ['later-messages'] })

/** I may read messages again that I could not. */
export function refetchIfJoined(client: QueryClient, { user }: Payload<'channel:member_joined'>, me: string) {
  if (user.id === me) refetchSaved(client)
}

/** Whether the time of an item's reminder has come. */
export const isDue = ({ remindedAt, doneAt }: LaterItem) => remindedAt !== null && doneAt === null

let saved: ReadonlyMap<string, LaterItem> = new Map()
const { watch, notify } = createWatchers()

/** Lets rows know which messages are saved. Call it whenever the items change. */
export function noteSaved(items: readonly LaterItem[]) {
  saved = new Map(items.flatMap((item) => (item.messageId === null ? [] : [[item.messageId, item]])))
  notify()
}

/** The open item of a message; undefined if it is not saved, or done. */
export const savedItem = (messageId: string) => saved.get(messageId)

export const useSavedItem = (messageId: string) => useSyncExternalStore(watch, () => saved.get(messageId))
