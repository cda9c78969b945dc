import type { QueryClient } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint'
import { readAllChannels, unreadChannels } from '#contract/reading'
import { readAllThreads } from '#contract/threads'
import { call } from '../api-client/api.ts'
import { applyChannelRead } from '../features/channels/cache/channel-cursor.ts'
import { applyThreadRead } from '../features/threads/thread-list.ts'
import { showToast } from '../ui/feedback/toast.tsx'

type Movement = Record<'before' | 'lastReadSeq' | 'readVersion', number>
type Moved = ReplyOf<typeof readAllChannels>

const UNDO_MS = 10_000

/** Marks all channels and threads as read, or only the threads, and offers to undo that. Load it lazily. */
export async function readAll(client: QueryClient, what: 'everything' | 'threads' = 'everything') {
  try {
    const moved =
      what === 'everything' ? await call(readAllChannels, {}) : { channels: [], ...(await call(readAllThreads, {})) }
    applyCursors(client, moved)
    if (moved.channels.length + moved.threads.length === 0) return void showToast('Everything is already read')
    const action = { name: 'Undo', act: () => void undo(client, moved) }
    showToast(`Marked as read: ${summaryOf(moved)}`, { action, durationMs: UNDO_MS })
  } catch (error) {
    console.error('Failed to mark everything as read:', error)
    showToast('Failed to mark everything as read')
  }
}

/** '1 conversation and 2 threads' */
function summaryOf({ channels, threads }: Moved) {
  const countOf = (count: number, noun: string) => (count > 0 ? [`${count} ${noun}${count === 1 ? '' : 's'}`] : [])
  return [...countOf(channels.length, 'conversation'), ...countOf(threads.length, 'thread')].join(' and ')
}

async function undo(client: QueryClient, moved: Moved) {
  // One request per kind, and only the required fields: the size of a body is limited.
  const channels = moved.channels.map(({ channelId, ...cursor }) => ({ channelId, ...movementOf(cursor) }))
  const threads = moved.threads.map(({ threadId, ...cursor }) => ({ threadId, ...movementOf(cursor) }))
  try {
    if (channels.length > 0) applyCursors(client, await call(unreadChannels, { body: { channels, threads: [] } }))
    if (threads.length > 0) applyCursors(client, await call(unreadChannels, { body: { channels: [], threads } }))
  } catch (error) {
    console.error("Couldn't undo:", error)
    const action = { name: 'Try again', act: () => void undo(client, moved) }
    showToast("Couldn't undo", { action, durationMs: UNDO_MS })
  }
}

const movementOf = ({ before, lastReadSeq, readVersion }: Movement) => ({ before, lastReadSeq, readVersion })

function applyCursors(client: QueryClient, { channels, threads }: Moved) {
  for (const { before: _, ...cursor } of channels) applyChannelRead(client, cursor)
  for (const { before: _, ...cursor } of threads) applyThreadRead(client, cursor)
}
