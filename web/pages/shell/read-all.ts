import type { QueryClient } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint'
import { readAllChannels, unreadChannels } from '#contract/reading'
import { call } from '../../api-client/api.ts'
import { applyChannelRead as hearChannelRead } from '../../features/channels/cache/channel-cursor.ts'
import { applyThreadRead as hearThreadRead } from '../../features/threads/thread-list.ts'
import { showToast } from '../../ui/feedback/toast.tsx'

type Movement = Record<'before' | 'lastReadSeq' | 'readVersion', number>
type Moved = ReplyOf<typeof readAllChannels>

/** Milliseconds in which it can be taken back. */
const UNDO_MS = 10_000

/** Marks all channels and threads read, and offers to take it back. Load it lazily. */
export async function readAll(client: QueryClient) {
  try {
    const moved = await call(readAllChannels, {})
    hear(client, moved)
    if (moved.channels.length + moved.threads.length === 0) return void showToast('Everything is already read')
    const action = { name: 'Undo', act: () => void takeBack(client, moved) }
    showToast(`Marked as read: ${what(moved)}`, { action, forMs: UNDO_MS })
  } catch (error) {
    console.error('Failed to mark everything as read:', error)
    showToast('Failed to mark everything as read')
  }
}

/** '1 conversation and 2 threads' */
function what({ channels, threads }: Moved) {
  const counted = (count: number, noun: string) => (count > 0 ? [`${count} ${noun}${count === 1 ? '' : 's'}`] : [])
  return [...counted(channels.length, 'conversation'), ...counted(threads.length, 'thread')].join(' and ')
}

async function takeBack(client: QueryClient, moved: Moved) {
  // Of thousands, one call each, and no more of them than is asked for: a body has its bound.
  const channels = moved.channels.map(({ channelId, ...cursor }) => ({ channelId, ...movementOf(cursor) }))
  const threads = moved.threads.map(({ threadId, ...cursor }) => ({ threadId, ...movementOf(cursor) }))
  try {
    if (channels.length > 0) hear(client, await call(unreadChannels, { body: { channels, threads: [] } }))
    if (threads.length > 0) hear(client, await call(unreadChannels, { body: { channels: [], threads } }))
  } catch (error) {
    console.error('Could not undo:', error)
    const action = { name: 'Try again', act: () => void takeBack(client, moved) }
    showToast('Could not undo', { action, forMs: UNDO_MS })
  }
}

const movementOf = ({ before, lastReadSeq, readVersion }: Movement) => ({ before, lastReadSeq, readVersion })

function hear(client: QueryClient, { channels, threads }: Moved) {
  for (const { before: _, ...cursor } of channels) hearChannelRead(client, cursor)
  for (const { before: _, ...cursor } of threads) hearThreadRead(client, cursor)
}
