import type { QueryClient } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint'
import { readAllChannels, unreadChannels } from '#contract/read-cursors'
import { readAllThreads } from '#contract/threads'
import { call } from '../api-client/api.ts'
import { applyChannelRead } from '../features/channels/cache/channel-cursor.ts'
import { applyThreadRead } from '../features/threads/thread-list.ts'
import { t } from '../i18n/text.ts'
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
    if (moved.channels.length + moved.threads.length === 0) return void showToast(t('readAll.nothing'))
    const action = { name: t('ui.undo'), act: () => void undo(client, moved) }
    showToast(summaryOf(moved), { action, durationMs: UNDO_MS })
  } catch (error) {
    console.error('Failed to mark everything as read:', error)
    showToast(t('readAll.failed'))
  }
}

function summaryOf({ channels, threads }: Moved) {
  if (threads.length === 0) return t('readAll.conversations', { count: channels.length })
  if (channels.length === 0) return t('readAll.threads', { count: threads.length })
  return t('readAll.both', { conversations: channels.length, threads: threads.length })
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
    const action = { name: t('ui.tryAgain'), act: () => void undo(client, moved) }
    showToast(t('readAll.undoFailed'), { action, durationMs: UNDO_MS })
  }
}

const movementOf = ({ before, lastReadSeq, readVersion }: Movement) => ({ before, lastReadSeq, readVersion })

function applyCursors(client: QueryClient, { channels, threads }: Moved) {
  for (const { before: _, ...cursor } of channels) applyChannelRead(client, cursor)
  for (const { before: _, ...cursor } of threads) applyThreadRead(client, cursor)
}
