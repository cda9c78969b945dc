import type { QueryClient } from '@tanstack/react-query'
import type { ScrollTarget } from '../../../ui/list/list-anchor.ts'
import { loadFrom } from '../sync/message-queries.ts'
import { rowKey, UNREAD_DIVIDER_KEY } from './list-items.ts'
import type { ReadingPosition } from './scroll-history.ts'

// Each function loads the part of a channel that it names, and returns where to scroll; undefined if it does not exist.

export async function latestMessage(client: QueryClient, channelId: string): Promise<ScrollTarget | undefined> {
  const { messages } = await loadFrom(client, channelId, undefined)
  const last = messages.at(-1)
  return last && { key: rowKey(last), at: 'end' }
}

export async function firstUnread(
  client: QueryClient,
  channelId: string,
  newFrom: number | undefined,
): Promise<ScrollTarget | undefined> {
  if (newFrom === undefined) return undefined
  await loadFrom(client, channelId, { seq: newFrom })
  return { key: UNREAD_DIVIDER_KEY, at: 'start' }
}

export async function readingPosition(
  client: QueryClient,
  channelId: string,
  position: ReadingPosition,
): Promise<ScrollTarget | undefined> {
  if (position === 'end') return latestMessage(client, channelId)
  const { messages } = await loadFrom(client, channelId, { id: position.id })
  const message = messages.find(({ id }) => id === position.id)
  return message && { key: rowKey(message), at: position.at }
}
