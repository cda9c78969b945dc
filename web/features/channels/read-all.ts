import type { QueryClient } from '@tanstack/react-query'
import { type MovedCursor, readAllChannels, unreadChannels } from '#contract/reading'
import { call } from '../../api.ts'
import { showToast } from '../../ui/toast.tsx'
import { hearRead } from './channel-cursor.ts'

/** Milliseconds in which it can be taken back. */
const SECOND_THOUGHT = 10_000

/** Marks all channels read, and offers to take it back. `nothing` is said where none was unread. Load it lazily. */
export async function readAll(client: QueryClient, nothing: string) {
  try {
    const { channels } = await call(readAllChannels, {})
    hear(client, channels)
    if (channels.length === 0) return void showToast(nothing)
    const action = { name: 'Undo', act: () => void takeBack(client, channels) }
    showToast('Everything is marked as read', { action, forMs: SECOND_THOUGHT })
  } catch (error) {
    console.error('Failed to mark everything as read:', error)
    showToast('Failed to mark everything as read')
  }
}

async function takeBack(client: QueryClient, channels: MovedCursor[]) {
  try {
    hear(client, (await call(unreadChannels, { body: { channels } })).channels)
  } catch (error) {
    console.error('Failed to mark everything as unread again:', error)
    const action = { name: 'Try again', act: () => void takeBack(client, channels) }
    showToast('Failed to mark everything as unread again', { action, forMs: SECOND_THOUGHT })
  }
}

function hear(client: QueryClient, channels: MovedCursor[]) {
  for (const { before: _, ...cursor } of channels) hearRead(client, cursor)
}
